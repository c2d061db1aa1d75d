# What `cmake --install` copies: headers, libraries, licences, guides, and the files by which CMake and pkg-config find
# them.
include(CMakePackageConfigHelpers)
set(DENIZEN_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/denizen" CACHE STRING "Where the CMake package is installed")

install(DIRECTORY include/denizen DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT Development)
install(FILES LICENSE-MIT LICENSE-APACHE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT Runtime)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT Documentation PATTERN Doxyfile EXCLUDE PATTERN reference.dox EXCLUDE)

# The README speaks of the sources, most of which aren't installed; the copy says so.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/README.md")
file(READ README.md denizen_readme)
string(REGEX REPLACE "^# denizen\n" "# denizen

*This is an installed copy. Commands (`./demo`, `./test`, `./reference`) and links to `include`, `examples`, `tests`, `c_tests`, `bindings`,
`bench`, `cmake`, `packaging` and `abi`, here and in the guides, are those of the sources. The headers are in the prefix's `include/denizen`.*
" denizen_readme "${denizen_readme}")
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/installed/README.md" "${denizen_readme}")
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/installed/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT Documentation)
if(DENIZEN_STATIC)
    install(FILES "${denizen_lib_dir}/${static_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
endif()
if(DENIZEN_SHARED AND WIN32)
    install(FILES "${denizen_lib_dir}/${denizen_shared}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT Runtime)
    install(FILES "${denizen_lib_dir}/${import_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
elseif(DENIZEN_SHARED)
    install(PROGRAMS "${denizen_lib_dir}/${denizen_shared}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Runtime)
endif()
if(DENIZEN_SHARED AND denizen_soname) # libdenizen.so -> libdenizen.so.0 -> libdenizen.so.0.1.0
    install(FILES "${denizen_lib_dir}/${denizen_soname}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Runtime)
    install(FILES "${denizen_lib_dir}/${shared_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
endif()
if(DENIZEN_SHARED AND NOT WIN32) # `cmake --install --strip` strips what CMake linked, which this isn't
    set(strip_flag "")
    if(APPLE)
        set(strip_flag -x)
    endif()
    set(strip_dir "${CMAKE_INSTALL_LIBDIR}")
    if(NOT IS_ABSOLUTE "${strip_dir}") # the prefix may be another one when it is installed
        string(PREPEND strip_dir "\${CMAKE_INSTALL_PREFIX}/")
    endif()
    install(CODE "if(CMAKE_INSTALL_DO_STRIP)
        execute_process(COMMAND \"${CMAKE_STRIP}\" ${strip_flag} \"\$ENV{DESTDIR}${strip_dir}/${denizen_shared}\"
            COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT Runtime)
endif()

# The printers for gdb and lldb. gdb loads them by itself with the shared library, by a file beside it, where it may.
set(printers_dir "${CMAKE_INSTALL_DATADIR}/denizen")
install(FILES debug/denizen_inspect.py debug/denizen_gdb.py debug/denizen_lldb.py DESTINATION "${printers_dir}" COMPONENT Development)
if(DENIZEN_SHARED AND NOT WIN32)
    file(RELATIVE_PATH printers_from_lib "${CMAKE_INSTALL_FULL_LIBDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/denizen")
    configure_file(debug/autoload-gdb.py.in "${denizen_shared}-gdb.py" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${denizen_shared}-gdb.py" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT Development)
endif()

# Before 1.0 a minor version may change what programs are written against: so 0.2 doesn't do for 0.1. Programs that are built go
# on running, as long as the SONAME is the same: see abi/README.md.
configure_package_config_file(cmake/denizenConfig.cmake.in denizenConfig.cmake
    INSTALL_DESTINATION "${DENIZEN_INSTALL_CMAKEDIR}"
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(denizenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/denizenConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/denizenConfigVersion.cmake"
    DESTINATION "${DENIZEN_INSTALL_CMAKEDIR}" COMPONENT Development)

# pkg-config: `denizen` links the shared library, `denizen-static` the static one. The prefix is found from where
# the .pc file lies, so that the tree can be moved.
string(REPLACE ";" " " denizen_pc_libs "${denizen_native_libs}")
set(denizen_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
foreach(part LIBDIR INCLUDEDIR)
    set(denizen_pc_${part} "\${prefix}/${CMAKE_INSTALL_${part}}")
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${part}}")
        set(denizen_pc_${part} "${CMAKE_INSTALL_${part}}")
    endif()
endforeach()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}") # there it can't be found so
    set(denizen_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
    file(RELATIVE_PATH denizen_pc_prefix "/${denizen_pc_dir}" "/")
    string(PREPEND denizen_pc_prefix "\${pcfiledir}/")
endif()
foreach(flavour denizen denizen-static)
    configure_file(cmake/${flavour}.pc.in ${flavour}.pc @ONLY)
endforeach()
if(DENIZEN_SHARED)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/denizen.pc" DESTINATION "${denizen_pc_dir}" COMPONENT Development)
endif()
if(DENIZEN_STATIC)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/denizen-static.pc" DESTINATION "${denizen_pc_dir}" COMPONENT Development)
endif()
