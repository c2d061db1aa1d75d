#!/bin/sh
# abi.sh record LIBRARY          writes the record of this version anew: abi/0.1
# abi.sh check LIBRARY           compares a build with the records of its SONAME: what was there must be there, as it was
# abi.sh prove                   shows that check finds what it is to find, and lets pass what it is to let pass
# abi.sh run RECORD COMMAND...   runs a record's program, and compares what it prints with the record, but for sentences
# README.md says what a record is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
record=$here/$(sed -n 's/^version = "\([0-9]*\.[0-9]*\).*/\1/p' "$root/Cargo.toml" | head -n 1)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# functions HEADER: its functions, each with its type and parameters on one line. Comments come off first.
functions() {
    sed -e '\|^ *//|d' "$1" | tr '\n' ' ' | tr ';' '\n' | sed -n 's/.*DZ_API  *\(.*)\)$/\1/p' | tr -s ' '
}

# describe INCLUDE EXPORTED OUT: the ABI as a C program sees it. The functions in the list EXPORTED are defined as the header
# declares them, so that abidw reads C's types, in which nothing of the library's inside and of the Rust compiler is.
describe() {
    [ "$(functions "$1/denizen/denizen.h" | wc -l)" -eq "$(grep -c '^DZ_API' "$1/denizen/denizen.h")" ] ||
        { echo "not every declaration was read: is this script broken?"; exit 1; }
    {
        echo '#include <denizen/denizen.h>'
        functions "$1/denizen/denizen.h" | while read -r function; do
            name=$(echo "$function" | sed 's/^[^(]*[ *]\(dz_[a-z0-9_]*\)(.*/\1/')
            if grep -qx "$name" "$2"; then echo "$function { __builtin_trap(); }"; fi
        done
        # Enums are passed as integers, and some structs as bytes: no function of the library shows them, but these do.
        sed -n -e 's/^enum \(dz_[a-z0-9_]*\)$/void dz__\1(enum \1 *it) {}/p' \
            -e 's/^typedef struct \(dz_[a-z0-9_]*\) {$/void dz__\1(struct \1 *it) {}/p' "$1/denizen/denizen.h"
    } > "$dir/abi.c"
    "${CC:-cc}" -std=c99 -g -w -shared -fPIC -Wl,-soname,libdenizen.so -I "$1" -o "$dir/libdenizen.so" "$dir/abi.c"
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture --out-file "$3" \
        "$dir/libdenizen.so"
}

# compare RECORD INCLUDE EXPORTED: fails, and says what, if something is gone or has changed.
compare() {
    describe "$2" "$3" "$dir/now.abi"
    good=yes
    # Additions are fine; so is a descriptor that grows at its end (allowed.suppr).
    abidiff --no-added-syms --suppressions "$here/allowed.suppr" "$1/denizen.abi" "$dir/now.abi" || good=no
    # The values of macros, which no debugging information has.
    grep '^#define DZ_[A-Z_]* ' "$1/include/denizen/denizen.h" | grep -v '^#define DZ_VERSION_\|^#define DZ_API' > "$dir/macros"
    while read -r macro; do
        grep -qxF "$macro" "$2/denizen/denizen.h" || { echo "changed or gone: $macro"; good=no; }
    done < "$dir/macros"
    [ $good = yes ]
}

# exports LIBRARY: what it exports.
exports() {
    nm -D --defined-only "$1" | sed -n 's/.* T \(dz_[a-z0-9_]*\).*/\1/p' | sort
}

case ${1:-} in
record)
    exports "$2" > "$dir/exported"
    rm -rf "$record"
    mkdir -p "$record/include/denizen" "$record/program"
    cp "$root"/include/denizen/denizen.h "$root"/include/denizen/denizen_inline.h "$record/include/denizen"
    cp "$root"/bindings/conformance/*.[ch] "$root"/bindings/conformance/expected.txt "$record/program"
    describe "$record/include" "$dir/exported" "$record/denizen.abi"
    echo "$record: $(grep -c '<function-decl' "$record/denizen.abi") functions"
    ;;
check)
    [ -d "$record" ] || { echo "this version has no record: abi/README.md says how one is made"; exit 1; }
    exports "$2" > "$dir/exported"
    # All versions whose SONAME is this one's.
    for one in "${record%.*}".*; do
        compare "$one" "$root/include" "$dir/exported" || { echo "the ABI is not that of $one (above)"; exit 1; }
        echo "the ABI is that of $one, or more"
    done
    ;;
prove)
    # try WHAT PATTERN SED-SCRIPT [NAME]: the recorded header, edited, of a library that doesn't export NAME. Check finds PATTERN, or
    # nothing if PATTERN is empty.
    try() {
        rm -rf "$dir/edited"
        cp -r "$record/include" "$dir/edited"
        sed -i "$3" "$dir/edited/denizen/denizen.h"
        if cmp -s "$dir/edited/denizen/denizen.h" "$record/include/denizen/denizen.h" && [ -z "${4:-}" ]; then
            echo "$1: the edit does nothing"
            exit 1
        fi
        functions "$dir/edited/denizen/denizen.h" | sed 's/^[^(]*[ *]\(dz_[a-z0-9_]*\)(.*/\1/' | grep -vx "${4:-.}" > "$dir/names"
        found=no
        compare "$record" "$dir/edited" "$dir/names" > "$dir/said" || found=yes
        if [ -z "$2" ] && [ $found = no ]; then
            echo "$1: passes"
        elif [ -n "$2" ] && [ $found = yes ] && grep -q "$2" "$dir/said"; then
            echo "$1: found"
        else
            cat "$dir/said"
            echo "$1: found: $found (above)"
            exit 1
        fi
    }
    grow='/^} NAME;/i uint64_t grown;'
    try "a function that is gone" "dz_version" '/DZ_API uint32_t dz_version(void);/d'
    try "a function that is declared and not there" "dz_has" "" dz_has
    try "a parameter of another type" "dz_reserve" 's/dz_reserve(struct dz_world world, uint32_t entities)/dz_reserve(struct dz_world world, uint64_t entities)/'
    try "a result of another type" "dz_count" 's/uint32_t dz_count(/uint64_t dz_count(/'
    try "a callback of another type" "dz_compare_fn" 's/typedef int32_t (\*dz_compare_fn)/typedef int64_t (*dz_compare_fn)/'
    try "a struct that grows" "dz_world_numbers" "$(echo "$grow" | sed s/NAME/dz_world_numbers/)"
    try "a struct that no function shows, and that grows" "dz_component" "$(echo "$grow" | sed s/NAME/dz_component/)"
    try "a field in the middle of a descriptor" "dz_world_desc" '/^typedef struct dz_world_desc {/a uint64_t first;'
    try "a value that changes" "DZ_ON_SET" 's/DZ_ON_SET = 1,/DZ_ON_SET = 9,/'
    try "a value that is gone" "DZ_ERR_DEEP" '/DZ_ERR_DEEP = /d'
    try "a macro that changes" "DZ_MAX_TERMS" 's/#define DZ_MAX_TERMS .*/#define DZ_MAX_TERMS 33/'
    try "a new function" "" 's/^DZ_API uint32_t dz_version(void);/&\nDZ_API uint32_t dz_new(void);/'
    try "a new value" "" 's/DZ_ON_DESTROY = 4,/&\nDZ_ON_NEW = 5,/'
    try "a new enum" "" 's/^typedef struct dz_world {/enum dz_new\n{ DZ_NEW };\n&/'
    try "a new macro" "" 's/^#define DZ_MAX_TERMS .*/&\n#define DZ_NEW 1/'
    try "a descriptor that grows at its end" "" "$(echo "$grow" | sed s/NAME/dz_world_desc/)"
    ;;
run)
    of=$2
    shift 2
    # Sentences are for people, and may be put better.
    plain() { tr -d '\r' | sed 's/\(DZ_ERR_[A-Z_]*\): .*/\1/'; }
    "$@" > "$dir/printed"
    plain < "$of/program/expected.txt" > "$dir/expected"
    plain < "$dir/printed" | diff -u "$dir/expected" - || { echo "- as recorded, + printed"; exit 1; }
    ;;
*)
    sed -n '2,5s/^# //p' "$0"
    exit 2
    ;;
esac
