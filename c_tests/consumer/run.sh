#!/bin/sh
# run.sh CMAKE BUILD_DIR SOURCE_DIR CC CXX: installs the build to a fresh place and uses it from there, by find_package
# and by pkg-config, shared and static, from C and C++; then the sources, as a subdirectory.
set -eu
cmake=$1 build=$2 source=$3 cc=$4 cxx=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$build/consumer
rm -rf "$work"
mkdir -p "$work"

say() { printf '\n-- %s\n' "$*"; }

say "cmake --install, then move what was installed"
"$cmake" --install "$build" --prefix "$work/first" > "$work/install.log"
mv "$work/first" "$work/prefix" # nothing in it may remember where it was
prefix=$work/prefix
lib=$(dirname "$(find "$prefix" -name 'libdenizen.a')")
for file in "$prefix/include/denizen/denizen.h" "$prefix/include/denizen/denizen_inline.h" "$lib/libdenizen.a" \
    "$lib/pkgconfig/denizen.pc" "$lib/cmake/denizen/denizenConfig.cmake"; do
    [ -f "$file" ] || { echo "not installed: $file"; exit 1; }
done
[ "$(find "$prefix" -name 'LICENSE-*' | wc -l)" -eq 2 ] || { echo "the licences are not installed"; exit 1; }
if grep -rlF "$work" "$prefix" --include='*.pc' --include='*.cmake'; then
    echo "these files name the directory that they were installed to"
    exit 1
fi
if [ "$(uname -s)" = Linux ]; then
    ls -l "$lib"/libdenizen.so*
    [ -L "$lib/libdenizen.so" ] && [ "$(readlink "$lib/libdenizen.so")" = libdenizen.so.0 ]
    [ -L "$lib/libdenizen.so.0" ] && [ -f "$lib/libdenizen.so.0" ]
    readelf -d "$lib/libdenizen.so" | grep SONAME
    readelf -d "$lib/libdenizen.so" | grep -q 'SONAME.*\[libdenizen\.so\.0\]'
fi

# use DIRECTORY: runs the four programs; the shared ones need the library at run time, the static ones must not.
use() {
    for program in shared_c shared_cpp static_c static_cpp; do
        printf '%s ' "$program"
        "$1/$program"
    done
    if command -v ldd > /dev/null; then
        ldd "$1/shared_c" | grep -q 'libdenizen\.so\.0 =>' || { echo "shared_c doesn't use libdenizen.so.0"; exit 1; }
        if ldd "$1/static_cpp" | grep denizen; then echo "static_cpp uses the shared library"; exit 1; fi
    fi
}

say "find_package"
"$cmake" -S "$here" -B "$work/package" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" > "$work/package.log"
"$cmake" --build "$work/package" > "$work/package-build.log"
use "$work/package"

if [ "$(uname -s)" = Linux ] && command -v gdb > /dev/null; then
    say "gdb loads the printers with the installed library"
    gdb -batch -nx -iex "add-auto-load-safe-path $prefix" -ex "break main" -ex run -ex "info pretty-printer global ^denizen" \
        "$work/package/shared_c" 2>&1 | grep -x '  denizen'
fi

if command -v pkg-config > /dev/null; then
    say "pkg-config"
    export PKG_CONFIG_PATH="$lib/pkgconfig"
    pkg-config --exists 'denizen >= 0.1' 'denizen < 1'
    mkdir -p "$work/pkg"
    for flavour in shared static; do
        case $flavour in shared) name=denizen ;; static) name=denizen-static ;; esac
        # What pkg-config prints is a list of words.
        # shellcheck disable=SC2046
        "$cc" -std=c99 $(pkg-config --cflags $name) "$here/main.c" -o "$work/pkg/${flavour}_c" $(pkg-config --libs $name) -Wl,-rpath,"$lib"
        # shellcheck disable=SC2046
        "$cxx" -std=c++17 $(pkg-config --cflags $name) "$here/main.cpp" -o "$work/pkg/${flavour}_cpp" $(pkg-config --libs $name) -Wl,-rpath,"$lib"
    done
    use "$work/pkg"
else
    echo "NOT TESTED: pkg-config isn't there"
fi

say "add_subdirectory"
# Its cargo directory is the build's own, so that nothing is compiled a second time.
"$cmake" -S "$here" -B "$work/subdirectory" -DDENIZEN_SOURCE="$source" -DDENIZEN_CARGO_TARGET_DIR="$build/cargo" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" > "$work/subdirectory.log"
"$cmake" --build "$work/subdirectory" > "$work/subdirectory-build.log"
use "$work/subdirectory"
"$cmake" --install "$work/subdirectory" --prefix "$work/nothing" > "$work/nothing.log"
if [ -e "$work/nothing/include" ]; then echo "a subdirectory installed itself unasked"; exit 1; fi
