# Shared by the tests of this folder: sourced, not run. POSIX sh. Their arguments are CMAKE BUILD_DIR SOURCE_DIR, and what
# cmake is told of compilers and of cargo's folder. CC and CXX are set, and RUNNER: what programs are run by, or nothing.
cmake=$1 build=$2 source=$3
shift 3
here=$source/c_tests/consumer
work=$build/consumer/$(basename "$0" .sh)
rm -rf "$work"
mkdir -p "$work"

say() { printf '\n-- %s\n' "$*"; }
die() { echo "$*"; exit 1; }

# logged NAME COMMAND...: what the command says is in NAME.log, and shown if it fails.
logged() {
    log=$work/$1.log
    shift
    "$@" > "$log" 2>&1 || { cat "$log"; exit 1; }
}

# project NAME ARGUMENT...: configures and builds the consumer in $work/NAME.
project() {
    name=$1
    shift
    logged "$name" "$cmake" -G Ninja -S "$here" -B "$work/$name" --no-warn-unused-cli "$@"
    logged "$name-build" "$cmake" --build "$work/$name"
}

# use DIRECTORY FLAVOUR...: runs the programs; the shared ones need the library at run time, the static ones must not.
use() {
    at=$1
    shift
    for flavour in "$@"; do
        for language in c cpp; do
            program=$at/${flavour}_$language
            [ -f "$program" ] || program=$program.exe
            printf '%s ' "${flavour}_$language"
            $RUNNER "$program"
        done
    done
    if [ -z "$RUNNER" ] && command -v ldd > /dev/null; then
        ldd "$at/shared_c" | grep -q 'libdenizen\.so\.0 =>' || die "shared_c doesn't use libdenizen.so.0"
        if [ -f "$at/static_cpp" ] && ldd "$at/static_cpp" | grep denizen; then die "static_cpp uses the shared library"; fi
    fi
}

# complete PREFIX: everything is there, and knows nothing of the folders that it was made in.
complete() {
    lib=$(dirname "$(find "$1" -name libdenizen.a)")
    doc=$(dirname "$(find "$1" -name LICENSE-MIT)")
    for file in "$1/include/denizen" "$lib/libdenizen.a" "$lib/pkgconfig/denizen.pc" "$lib/pkgconfig/denizen-static.pc" \
        "$lib/cmake/denizen/denizenConfig.cmake" "$lib/cmake/denizen/denizenConfigVersion.cmake" \
        "$doc/LICENSE-APACHE" "$doc/README.md" "$doc/docs/guarantees.md"; do
        [ -e "$file" ] || die "not there: $file"
    done
    grep -q 'This is an installed copy' "$doc/README.md" || die "the README doesn't say that the sources aren't here"
    [ ! -e "$doc/docs/Doxyfile" ] || die "there is a Doxyfile, and no ./reference that reads it"
    diff -r "$source/include/denizen" "$1/include/denizen" || die "the headers are not those of the sources"
    if grep -rlF -e "$build" -e "$source" "$1" --include='*.pc' --include='*.cmake'; then
        die "these files name a folder that they were made in"
    fi
    if [ -e "$lib/libdenizen.so" ]; then
        [ "$(readlink "$lib/libdenizen.so")" = libdenizen.so.0 ] && [ -f "$lib/libdenizen.so.0" ] ||
            die "libdenizen.so doesn't lead to libdenizen.so.0"
        readelf -d "$lib/libdenizen.so" | grep 'SONAME.*\[libdenizen\.so\.0\]' || die "its SONAME isn't libdenizen.so.0"
    elif [ ! -f "$lib/libdenizen.dylib" ]; then
        [ -f "$1/bin/denizen.dll" ] && [ -f "$lib/libdenizen.dll.a" ] || die "no denizen.dll, or no import library"
    fi
}

# by_pkg_config PREFIX: the compiler's command line from pkg-config, shared and static, C and C++.
by_pkg_config() {
    command -v pkg-config > /dev/null || { echo "NOT TESTED: pkg-config isn't there"; return 0; }
    say "pkg-config"
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    pkg-config --exists 'denizen >= 0.1' 'denizen < 1' || die "pkg-config doesn't find denizen 0.1"
    if pkg-config --exists 'denizen >= 99'; then die "pkg-config takes it for version 99"; fi
    mkdir -p "$work/pkg"
    if [ -f "$1/bin/denizen.dll" ]; then # Windows looks beside the program, for the compiler's own DLLs too
        cp "$1/bin/denizen.dll" "$work/pkg"
        for dll in libgcc_s_seh-1.dll libstdc++-6.dll libwinpthread-1.dll; do cp "$("$CXX" -print-file-name=$dll)" "$work/pkg"; done
    fi
    for flavour in shared static; do
        case $flavour in shared) name=denizen ;; static) name=denizen-static ;; esac
        # What pkg-config prints is a list of words.
        # shellcheck disable=SC2046
        "$CC" -std=c99 $(pkg-config --cflags $name) "$here/main.c" -o "$work/pkg/${flavour}_c" $(pkg-config --libs $name) -Wl,-rpath,"$lib"
        # shellcheck disable=SC2046
        "$CXX" -std=c++17 $(pkg-config --cflags $name) "$here/main.cpp" -o "$work/pkg/${flavour}_cpp" $(pkg-config --libs $name) -Wl,-rpath,"$lib"
    done
    use "$work/pkg" shared static
}
