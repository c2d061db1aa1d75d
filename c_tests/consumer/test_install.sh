#!/bin/sh
# Installs the build and uses it from there, by find_package and by pkg-config. Arguments: see common.sh.
set -eu
. "$(dirname "$0")/common.sh"

say "cmake --install, then move what was installed"
logged install "$cmake" --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix" # nothing in it may remember where it was
complete "$work/prefix"

say "find_package"
project package "$@" -DCMAKE_PREFIX_PATH="$work/prefix"
use "$work/package" shared static

if [ -z "$RUNNER" ] && [ "$(uname -s)" = Linux ] && command -v gdb > /dev/null; then
    say "gdb loads the printers with the installed library"
    gdb -batch -nx -iex "add-auto-load-safe-path $work/prefix" -ex "break main" -ex run \
        -ex "info pretty-printer global ^denizen" "$work/package/shared_c" 2>&1 | grep -x '  denizen'
fi

by_pkg_config "$work/prefix"

if [ -z "$RUNNER" ] && [ "$(uname -s)" = Linux ] && pkg-config --exists denizen-static; then
    say "a program without any shared library"
    echo 'int main(void) { return 0; }' > "$work/nothing.c"
    if "$CC" -static "$work/nothing.c" -o "$work/nothing" 2> "$work/nothing.log"; then
        # shellcheck disable=SC2046
        "$CC" -std=c99 -static $(pkg-config --cflags denizen-static) "$here/main.c" -o "$work/pkg/alone" $(pkg-config --libs denizen-static)
        "$work/pkg/alone"
    else
        echo "NOT TESTED: the compiler has no libc to link so"
    fi
fi

say "cmake --install --component Runtime"
logged runtime "$cmake" --install "$build" --component Runtime --prefix "$work/runtime"
if find "$work/runtime" -name '*.h' -o -name '*.a' -o -name '*.pc' -o -name libdenizen.so | grep .; then die "that isn't needed to run"; fi

if [ "$(uname -s)" = Linux ] && [ -f "$lib/libdenizen.so" ]; then
    say "cmake --install --strip"
    logged strip "$cmake" --install "$build" --strip --prefix "$work/stripped"
    if readelf -SW "$(find "$work/stripped" -name libdenizen.so.0)" | grep -q '\.symtab'; then die "it isn't stripped"; fi
fi

# One library alone, and who asks for the other one is told so.
for flavour in shared static; do
    case $flavour in shared) other=static ;; static) other=shared ;; esac
    say "a package with the $flavour library only"
    only=$work/$flavour
    off=-DDENIZEN_$(echo $other | tr '[:lower:]' '[:upper:]')=OFF
    logged "$flavour-only" "$cmake" -G Ninja -S "$source" -B "$only/build" "$@" "$off" -DDENIZEN_TESTS=OFF
    logged "$flavour-only-build" "$cmake" --build "$only/build"
    logged "$flavour-only-install" "$cmake" --install "$only/build" --prefix "$only/prefix"
    case $flavour in shared) gone='*.a' ;; static) gone='*denizen*.[sd][ol]*' ;; esac
    found=$(find "$only/prefix" -name "$gone" ! -name '*.dll.a')
    [ -z "$found" ] || die "there is more than the $flavour library: $found"
    project "$flavour-alone" "$@" -DFLAVOURS=$flavour -DCMAKE_PREFIX_PATH="$only/prefix"
    if [ $flavour = shared ]; then use "$work/$flavour-alone" shared; fi
    if "$cmake" -G Ninja -S "$here" -B "$work/$flavour-both" --no-warn-unused-cli "$@" \
        -DCMAKE_PREFIX_PATH="$only/prefix" > "$work/refusal" 2>&1; then
        die "the component $other isn't there, and find_package says nothing"
    fi
    tr -s ' \n' ' ' < "$work/refusal" | grep -o "denizen was installed without its $other library" ||
        { cat "$work/refusal"; die "find_package doesn't say that the component $other is missing"; }
done
