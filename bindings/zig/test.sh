#!/bin/sh
# test.sh WHAT ZIG LIB_DIR WORK: tests the Zig binding with that compiler and the library in LIB_DIR. What is made goes below
# WORK. WHAT is
#   unit          zig build test, with and without optimisation; the sources are formatted; what must not compile doesn't
#   conformance   the conformance list's transcript, linked statically and dynamically
#   package       programs that depend on the package: by path, and by what `zig fetch` makes of an archive of this folder, and
#                 of the repository
#   cargo         the last of these, where build.zig has cargo build the library; the shared one; and what is said where its
#                 sources aren't there
set -eu
what=$1 zig=$2 lib=$3 work=$4
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$work"
work=$(cd "$work" && pwd)
export ZIG_LOCAL_CACHE_DIR="$work/cache" ZIG_GLOBAL_CACHE_DIR="$work/global"

build() { "$zig" build "-Dlib-dir=$lib" --summary failures "$@"; }

# says EXPECTED COMMAND...: the command prints that.
says() {
    expected=$1
    shift
    printed=$("$@" 2>&1) || { echo "$printed"; return 1; }
    [ "$printed" = "$expected" ] && return
    printf 'expected:\n%s\nprinted:\n%s\n' "$expected" "$printed"
    return 1
}

# consume WAY OPTION...: a program of somebody else's, which depends on the package in that way, is built and runs.
consume() {
    way=$1
    shift
    consumer=$work/consumer/$way archive=$work/$way.tar.gz
    rm -rf "$consumer"
    mkdir -p "$consumer"
    cp "$here/test/consumer/"* "$consumer"
    cd "$consumer"
    case $way in
    path)
        path=$(realpath --relative-to="$consumer" "$here")
        sed -i "s|\.dependencies = .*|.dependencies = .{ .denizen = .{ .path = \"$path\" } },|" build.zig.zon
        ;;
    fetch) tar -C "$here/.." --exclude .zig-cache --exclude zig-out -czf "$archive" zig ;;
    root)
        tar -C "$root" --exclude .zig-cache --exclude zig-out --transform 's,^,denizen/,' -czf "$archive" \
            build.zig build.zig.zon bindings Cargo.toml Cargo.lock build.rs src tests/rlib README.md LICENSE-APACHE LICENSE-MIT
        ;;
    esac
    [ "$way" = path ] || "$zig" fetch --save=denizen "$archive" > /dev/null
    "$zig" build --summary failures "$@" || return
    says "the ship is at 1 2 0" zig-out/bin/consumer
}

# refuse: the compiler says of test/refused.zig all that stands there.
refuse() {
    errors=$work/refused
    if "$zig" build-lib -fno-emit-bin --dep denizen -Mroot=test/refused.zig -Mdenizen=src/denizen.zig 2> "$errors"; then return 1; fi
    sed -n 's,.*// says: ,,p' test/refused.zig > "$errors.expected"
    while read -r sentence; do
        grep 'error: ' "$errors" | grep -qF "$sentence" || { cat "$errors"; echo "nothing says: $sentence"; return 1; }
    done < "$errors.expected"
}

case $what in
unit)
    "$zig" fmt --check "$here" "$root/build.zig" "$root/build.zig.zon" "$root/bench/zig"
    cd "$here"
    build test
    build test -Doptimize=fast
    refuse
    ;;
conformance)
    cd "$here"
    for linkage in static dynamic; do
        build install-conformance -Dlinkage=$linkage --prefix "$work/$linkage"
        sh "$root/bindings/conformance/compare.sh" "$work/$linkage/bin/conformance"
    done
    ;;
package)
    consume path "-Dlib-dir=$lib"
    consume fetch "-Dlib-dir=$lib"
    consume root "-Dlib-dir=$lib"
    ;;
cargo)
    consume root
    cd "$here"
    "$zig" build install-conformance -Dlinkage=dynamic --prefix "$work/cargo" --summary failures
    sh "$root/bindings/conformance/compare.sh" "$work/cargo/bin/conformance"
    if consume fetch 2> "$work/errors"; then exit 1; fi # it has no sources of the library
    grep -q '^error: .*-Dlib-dir' "$work/errors" || { cat "$work/errors"; exit 1; }
    ;;
*)
    echo "$0: what is $what?" >&2
    exit 2
    ;;
esac
