# The library itself: one cargo build, whose results are copied to ${denizen_lib_dir} under the names that they
# are installed with, because programs that are linked to it look for libdenizen.so.0 when they start.
set(denizen_include_dir "${CMAKE_CURRENT_SOURCE_DIR}/include")
set(denizen_lib_dir "${CMAKE_CURRENT_BINARY_DIR}/lib")
file(MAKE_DIRECTORY "${denizen_lib_dir}")

set(cargo_flags ${DENIZEN_CARGO_FLAGS})
set(cargo_environment "")
include(${CMAKE_CURRENT_LIST_DIR}/target.cmake)

# A sanitizer looks into Rust's code too: the nightly toolchain can build it in, and into the standard library
# where the sources are there. The runtime comes with the C program.
if(DENIZEN_TOOL MATCHES "^(address|thread)$")
    set(ENV{RUSTUP_TOOLCHAIN} nightly)
    execute_process(COMMAND "${DENIZEN_RUSTC}" -vV OUTPUT_VARIABLE about COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "host: ([^\n]*)" about "${about}")
    set(rust_target ${CMAKE_MATCH_1})
    set(cargo_environment RUSTUP_TOOLCHAIN=nightly RUSTFLAGS=-Zsanitizer=${DENIZEN_TOOL})
    execute_process(COMMAND "${DENIZEN_RUSTC}" --print=sysroot OUTPUT_VARIABLE sysroot OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS "${sysroot}/lib/rustlib/src/rust/library/Cargo.lock")
        list(APPEND cargo_flags -Zbuild-std)
    else()
        message(WARNING "No rust-src: the sanitizer doesn't see into Rust's standard library")
    endif()
endif()

# With a target, cargo puts what it makes into a directory of that name.
set(cargo_out "${DENIZEN_CARGO_TARGET_DIR}/release")
set(target_flag "")
if(rust_target)
    set(cargo_out "${DENIZEN_CARGO_TARGET_DIR}/${rust_target}/release")
    set(target_flag --target=${rust_target})
endif()

# What each kind of system calls the results.
if(WIN32)
    set(shared_file denizen.dll)
    if(MSVC)
        set(import_file denizen.dll.lib)
        set(static_file denizen.lib)
    else()
        set(import_file libdenizen.dll.a)
        set(static_file libdenizen.a)
    endif()
    set(denizen_shared ${shared_file})
    set(links "")
elseif(APPLE)
    set(shared_file libdenizen.dylib)
    set(static_file libdenizen.a)
    set(denizen_shared ${shared_file})
    set(links "")
else()
    set(shared_file libdenizen.so)
    set(static_file libdenizen.a)
    set(denizen_soname ${shared_file}.${PROJECT_VERSION_MAJOR}) # build.rs writes it into the file
    set(denizen_shared ${shared_file}.${PROJECT_VERSION})
    set(links
        COMMAND ${CMAKE_COMMAND} -E create_symlink ${denizen_shared} "${denizen_lib_dir}/${denizen_soname}"
        COMMAND ${CMAKE_COMMAND} -E create_symlink ${denizen_soname} "${denizen_lib_dir}/${shared_file}")
endif()
set(copies ${static_file} ${import_file})
set(made ${denizen_shared} ${copies})
list(TRANSFORM copies PREPEND "${cargo_out}/")
list(TRANSFORM made PREPEND "${denizen_lib_dir}/")

# cargo knows best what is out of date, so it is asked each time.
add_custom_target(denizen-cargo ALL
    COMMAND ${CMAKE_COMMAND} -E env --unset=CARGO_BUILD_TARGET "CARGO_TARGET_DIR=${DENIZEN_CARGO_TARGET_DIR}"
            "RUSTC=${DENIZEN_RUSTC}" ${cargo_environment}
            "${DENIZEN_CARGO}" build --release --lib --locked --quiet ${target_flag} ${cargo_flags}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different "${cargo_out}/${shared_file}" "${denizen_lib_dir}/${denizen_shared}"
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${copies} "${denizen_lib_dir}"
    ${links}
    BYPRODUCTS ${made}
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Building denizen ${PROJECT_VERSION} with cargo"
    COMMAND_EXPAND_LISTS VERBATIM)

# The system's libraries that a Rust static library stands on; rustc names them when it makes one.
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.rs" "")
execute_process(
    COMMAND "${DENIZEN_RUSTC}" --crate-type=staticlib --print=native-static-libs ${target_flag}
            -o "${CMAKE_CURRENT_BINARY_DIR}/empty.a" "${CMAKE_CURRENT_BINARY_DIR}/empty.rs"
    ERROR_VARIABLE rustc_says RESULT_VARIABLE rustc_failed)
if(rustc_failed OR NOT rustc_says MATCHES "native-static-libs: ([^\n]*)")
    message(FATAL_ERROR "${DENIZEN_RUSTC} doesn't say what a static library needs:\n${rustc_says}")
endif()
string(STRIP "${CMAKE_MATCH_1}" denizen_native_libs)
string(REPLACE " " ";" denizen_native_libs "${denizen_native_libs}")
list(REMOVE_DUPLICATES denizen_native_libs)
if(NOT MSVC) # the compiler that links adds its own runtime and libc, and others where it links all statically
    list(REMOVE_ITEM denizen_native_libs -lgcc_s -lc)
endif()
file(REMOVE "${CMAKE_CURRENT_BINARY_DIR}/empty.a")

if(DENIZEN_SHARED)
    add_library(denizen::denizen SHARED IMPORTED GLOBAL)
    set_target_properties(denizen::denizen PROPERTIES
        IMPORTED_LOCATION "${denizen_lib_dir}/${denizen_shared}"
        INTERFACE_INCLUDE_DIRECTORIES "${denizen_include_dir}")
    if(denizen_soname)
        set_target_properties(denizen::denizen PROPERTIES IMPORTED_SONAME "${denizen_soname}")
    elseif(import_file)
        set_target_properties(denizen::denizen PROPERTIES IMPORTED_IMPLIB "${denizen_lib_dir}/${import_file}")
    endif()
    add_dependencies(denizen::denizen denizen-cargo)
endif()
if(DENIZEN_STATIC)
    add_library(denizen::static STATIC IMPORTED GLOBAL)
    set_target_properties(denizen::static PROPERTIES
        IMPORTED_LOCATION "${denizen_lib_dir}/${static_file}"
        INTERFACE_INCLUDE_DIRECTORIES "${denizen_include_dir}"
        INTERFACE_COMPILE_DEFINITIONS DZ_STATIC
        INTERFACE_LINK_LIBRARIES "${denizen_native_libs}")
    add_dependencies(denizen::static denizen-cargo)
    if(NOT DENIZEN_SHARED) # who asks for whichever is there gets this one
        add_library(denizen::denizen INTERFACE IMPORTED GLOBAL)
        target_link_libraries(denizen::denizen INTERFACE denizen::static)
    endif()
endif()
