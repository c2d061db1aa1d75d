"""Conan recipe for the sources that it lies in: conan create packaging/conan. Rust must be installed."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Denizen(ConanFile):
    name = "denizen"
    license = "MIT OR Apache-2.0"
    description = "An entity component system as a C shared library"
    topics = ("ecs", "entity", "sparse-set", "gamedev")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def _sources(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        manifest = load(self, os.path.join(self._sources(), "Cargo.toml"))
        self.version = re.search(r'^version = "([^"]+)"', manifest, re.M).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "Cargo.toml", "Cargo.lock", "build.rs", "README.md", "LICENSE-*",
                        "cmake/*", "debug/*", "docs/*", "include/*", "src/*", "tests/rlib/*"):
            copy(self, pattern, src=self._sources(), dst=self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def package_id(self):
        # cargo builds a release whatever the build type is, and C's ABI is every compiler's.
        self.info.settings.rm_safe("build_type")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["DENIZEN_TESTS"] = False
        toolchain.cache_variables["DENIZEN_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["DENIZEN_STATIC"] = not self.options.shared
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE-*", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # denizen's own CMake package is in it, with the targets that it has everywhere.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "denizen")]
        self.cpp_info.libs = ["denizen"]
        if not self.options.shared:
            self.cpp_info.defines = ["DZ_STATIC"]
            if self.settings.os == "Linux":
                self.cpp_info.system_libs = ["pthread", "dl", "m"]
