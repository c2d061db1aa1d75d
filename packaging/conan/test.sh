#!/bin/sh
# test.sh CONAN: the recipe makes packages of this checkout, shared and static, and its test_package uses them.
# Everything that Conan keeps is in build/conan. Compiled without optimising, which is tested elsewhere.
set -eu
conan=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$root/build/conan
rm -rf "$work"
mkdir -p "$work"
export CONAN_HOME="$work/home" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
"$conan" profile detect > "$work/profile.log" 2>&1
for shared in True False; do
    "$conan" create "$here" -o "denizen/*:shared=$shared" --test-folder="$here/test_package" > "$work/$shared.log" 2>&1 ||
        { tail -n 60 "$work/$shared.log"; exit 1; }
    echo "shared=$shared"
    grep -x -e 'C: works' -e 'C++: works' "$work/$shared.log" > "$work/said"
    cat "$work/said"
    [ "$(wc -l < "$work/said")" -eq 2 ]
    package=$(find "$work/home" -path '*/p/lib' -type d | while read -r lib; do
        case $shared in True) [ ! -e "$lib/libdenizen.so" ] || echo "$lib" ;; False) [ ! -e "$lib/libdenizen.a" ] || echo "$lib" ;; esac
    done)
    [ "$(echo "$package" | wc -l)" -eq 1 ] && [ -f "$(dirname "$package")/licenses/LICENSE-MIT" ]
done
rm -rf "$here/test_package/build" "$here/test_package/CMakeUserPresets.json"
