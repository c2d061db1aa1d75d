"""Uses the package that was made: the consumer of the C tests, by find_package."""
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        shared = self.dependencies["denizen"].options.shared == "True"
        toolchain.cache_variables["FLAVOUR"] = "shared" if shared else "static"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            for language in ("c", "cpp"):
                self.run(os.path.join(self.cpp.build.bindir, f"consumer_{language}"), env="conanrun")
