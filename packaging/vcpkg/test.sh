#!/bin/sh
# What can be seen of the port without vcpkg: its manifest agrees with Cargo.toml, and what its portfile asks for, done by
# cmake alone, is a package that the consumer of the C tests can use, laid out as vcpkg wants it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$root/build/vcpkg
rm -rf "$work"
python3 - "$here/denizen/vcpkg.json" "$root/Cargo.toml" <<'PYTHON'
import json, re, sys
port, cargo = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
of = lambda key: re.search(rf'^{key} = "([^"]+)"', cargo, re.M).group(1)
assert set(port) <= {"name", "version-semver", "description", "license", "supports", "dependencies"}, "unknown keys"
assert (port["name"], port["version-semver"], port["license"]) == (of("name"), of("version"), of("license")), port
assert {"name": "vcpkg-cmake", "host": True} in port["dependencies"], "vcpkg_cmake_configure comes from vcpkg-cmake"
PYTHON
for linkage in dynamic static; do
    case $linkage in dynamic) flavour=shared wrong='lib/*.a' ;; static) flavour=static wrong='lib/*.so*' ;; esac
    package=$work/$linkage
    mkdir -p "$package"
    cmake -DVCPKG_LIBRARY_LINKAGE=$linkage -DCURRENT_PACKAGES_DIR="$package" -DCURRENT_BUILDTREES_DIR="$work/$linkage-build" \
        -DPRETEND_OPTIONS="-DDENIZEN_CARGO_TARGET_DIR=$root/target" -P "$here/pretend.cmake" > "$work/$linkage.log" 2>&1 ||
        { tail -n 40 "$work/$linkage.log"; exit 1; }
    for file in share/denizen/denizenConfig.cmake share/denizen/denizenConfigVersion.cmake share/denizen/copyright include/denizen/denizen.h; do
        [ -f "$package/$file" ] || { echo "$linkage: no $file"; exit 1; }
    done
    [ ! -e "$package/lib/cmake" ] && [ ! -e "$package/share/doc" ] || { echo "$linkage: files where vcpkg wants none"; exit 1; }
    # A pattern, to be expanded.
    # shellcheck disable=SC2086
    if ls "$package"/$wrong 2> /dev/null; then echo "$linkage: the other kind of library is there"; exit 1; fi
    cmake -G Ninja -S "$root/c_tests/consumer" -B "$work/use-$linkage" -DFLAVOURS=$flavour -DCMAKE_PREFIX_PATH="$package" > "$work/use.log"
    cmake --build "$work/use-$linkage" >> "$work/use.log"
    for language in c cpp; do
        printf '%s ' "$linkage"
        "$work/use-$linkage/${flavour}_$language"
    done
done
