#!/bin/sh
# check_cpp.sh COMPILER INCLUDE_DIR LIBRARY: denizen.hpp compiles alone and twice, with exceptions and RTTI and without, as
# C++17 and C++20; and so do its tests, which are run as C++20 (CMake builds and runs them as C++17).
set -eu
compiler=$1 include=$2 library=$3
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$library" "$dir/libdenizen.so"
ln -s libdenizen.so "$dir/libdenizen.so.0"
for standard in c++17 c++20; do
    flags="-std=$standard -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I $include"
    for without in "" "-fno-exceptions -fno-rtti"; do
        echo "$compiler $standard $without"
        for times in once twice; do
            echo '#include <denizen/denizen.hpp>' > "$dir/it.cpp"
            [ $times = once ] || echo '#include <denizen/denizen.hpp>' >> "$dir/it.cpp"
            # Flags are lists of words.
            # shellcheck disable=SC2086
            "$compiler" $flags $without -c -o "$dir/it.o" "$dir/it.cpp"
        done
        if [ -n "$without" ]; then tests=$here/test_cpp_results.cpp; else tests=$(ls "$here"/test_cpp_*.cpp); fi
        for test in $tests; do
            # shellcheck disable=SC2086
            if [ $standard = c++17 ]; then "$compiler" $flags $without -fsyntax-only "$test" && continue; fi
            # shellcheck disable=SC2086
            "$compiler" $flags $without -o "$dir/test" "$test" -L "$dir" -ldenizen -lpthread -Wl,-rpath,"$dir"
            printf '  %s: ' "$(basename "$test")"
            "$dir/test"
        done
    done
done
