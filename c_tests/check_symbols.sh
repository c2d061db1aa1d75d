#!/bin/sh
# check_symbols.sh INCLUDE_DIR LIBRARY: what the library exports is what the header declares, both ways.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# A declaration is DZ_API, a type, the name and its parameters, on one line or two; comments come off first.
sed -e '\|^ *//|d' "$1/denizen.h" | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*DZ_API  *[^(]*[ *]\(dz_[a-z0-9_]*\)(.*/\1/p' | sort > "$dir/declared"
case $2 in
    *.dll) # the table of names: lines such as "[ 12] dz_add"
        x86_64-w64-mingw32-objdump -p "$2" | tr -d '\r' |
            sed -n '/^\[Ordinal\/Name Pointer\] Table/,/^$/s/^.*\[ *[0-9]*\].* \([A-Za-z_0-9]*\)$/\1/p' | sort > "$dir/exported" ;;
    *) nm -D --defined-only "$2" | awk '$2 ~ /[A-Z]/ && $2 != "A" { print $3 }' | sed 's/@.*//' | sort > "$dir/exported" ;;
esac
echo "declared: $(wc -l < "$dir/declared"), exported: $(wc -l < "$dir/exported")"
[ "$(wc -l < "$dir/declared")" -gt 50 ] || { echo "too few declarations were found: is this script broken?"; exit 1; }
if grep -v '^dz_' "$dir/exported"; then echo "exported, but doesn't begin with dz_ (above)"; exit 1; fi
if ! diff "$dir/declared" "$dir/exported"; then echo "< only in the header, > only in the library"; exit 1; fi
