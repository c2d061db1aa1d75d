# The port builds the sources that it lies in: vcpkg install denizen --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "static" static)

# cargo builds a release; a program that is debugged links the same library.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_POLICY_MISMATCHED_NUMBER_OF_BINARIES enabled)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DDENIZEN_TESTS=OFF
        -DDENIZEN_SHARED=${shared}
        -DDENIZEN_STATIC=${static}
        -DDENIZEN_INSTALL_CMAKEDIR=share/denizen
        -DCMAKE_INSTALL_DOCDIR=share/denizen/doc
)
vcpkg_cmake_install()
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-MIT" "${SOURCE_PATH}/LICENSE-APACHE")
