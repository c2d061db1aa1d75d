# Runs the port's portfile without vcpkg: what vcpkg documents of its functions, as far as the port calls them, done by
# cmake itself. cmake -DCURRENT_PACKAGES_DIR=... -DCURRENT_BUILDTREES_DIR=... -DVCPKG_LIBRARY_LINKAGE=... -P pretend.cmake
function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "vcpkg_cmake_configure: what is ${arg_UNPARSED_ARGUMENTS}?")
    endif()
    set(shared OFF)
    if(VCPKG_LIBRARY_LINKAGE STREQUAL "dynamic")
        set(shared ON)
    endif()
    run("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${CURRENT_BUILDTREES_DIR}" -DCMAKE_BUILD_TYPE=Release
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=${shared}
        ${arg_OPTIONS} ${PRETEND_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${CURRENT_BUILDTREES_DIR}" --target install)
endfunction()

function(vcpkg_fixup_pkgconfig) # our files find their prefix by themselves
    file(GLOB found "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc")
    if(NOT found)
        message(FATAL_ERROR "There are no pkg-config files to mend")
    endif()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMENT" "FILE_LIST")
    file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share/denizen")
    foreach(file IN LISTS arg_FILE_LIST)
        file(READ "${file}" text)
        file(APPEND "${CURRENT_PACKAGES_DIR}/share/denizen/copyright" "${text}\n")
    endforeach()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/denizen/portfile.cmake")
