#!/bin/sh
# Builds denizen as a part of the consumer, by add_subdirectory and by FetchContent. Arguments: see common.sh.
set -eu
. "$(dirname "$0")/common.sh"

say "add_subdirectory"
project subdirectory "$@" -DDENIZEN_SOURCE="$source"
use "$work/subdirectory" shared static
logged nothing "$cmake" --install "$work/subdirectory" --prefix "$work/nothing"
[ ! -e "$work/nothing/include" ] || die "a subdirectory installed itself unasked"

say "FetchContent of a folder"
project folder "$@" -DDENIZEN_FETCH="$source" -DFETCHCONTENT_SOURCE_DIR_DENIZEN="$source"
use "$work/folder" shared static

# An archive with what the build needs and no more. It is compiled without optimising: that was done often enough.
say "FetchContent of an archive of the sources"
(cd "$source" && tar -czf "$work/denizen.tar.gz" CMakeLists.txt Cargo.toml Cargo.lock build.rs README.md LICENSE-* cmake include src docs tests/rlib)
project archive "$@" -DDENIZEN_FETCH="$work/denizen.tar.gz" -DDENIZEN_CARGO_TARGET_DIR="$work/cargo" \
    -DDENIZEN_CARGO_FLAGS="--config=profile.release.opt-level=0;--config=profile.release.codegen-units=16"
use "$work/archive" shared static
rm -rf "$work/cargo" "$work/archive"
