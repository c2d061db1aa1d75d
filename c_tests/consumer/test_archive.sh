#!/bin/sh
# Packs the release archive, unpacks it elsewhere, and uses it from there. Arguments: see common.sh.
set -eu
. "$(dirname "$0")/common.sh"

say "cpack"
logged cpack "$(dirname "$cmake")/cpack" --config "$build/CPackConfig.cmake" -B "$work/packed"
archive=$(find "$work/packed" -maxdepth 1 -name 'denizen-*.tar.gz' -o -maxdepth 1 -name 'denizen-*.zip')
[ -f "$archive" ] || die "cpack made no archive"
ls -l "$archive"
mkdir "$work/unpacked"
(cd "$work/unpacked" && "$cmake" -E tar xf "$archive")
prefix=$work/$(basename "$archive" | sed 's/\.tar\.gz$//; s/\.zip$//')
mv "$work/unpacked/$(basename "$prefix")" "$prefix"
rm -rf "$work/packed"
complete "$prefix"

say "find_package"
project package "$@" -DCMAKE_PREFIX_PATH="$prefix"
use "$work/package" shared static

by_pkg_config "$prefix"
