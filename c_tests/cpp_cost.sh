#!/bin/sh
# cpp_cost.sh COMPILER INCLUDE_DIR LIBRARY: the loops of denizen.hpp take at most 1.05 of the instructions of C's (those
# over batches 1.1), as callgrind counts them, at -O3.
set -eu
compiler=$1 include=$2 library=$3
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$library" "$dir/libdenizen.so"
ln -s libdenizen.so "$dir/libdenizen.so.0"
"$compiler" -std=c++17 -O3 -I "$include" -o "$dir/cost" "$here/cpp_cost.cpp" -L "$dir" -ldenizen -Wl,-rpath,"$dir"

# count FORM [apart]: instructions, without those of a run that makes the world only.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$dir/cost" "$@" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
    sed -n 's/.*Collected : //p' "$dir/log"
}
for apart in "" apart; do
    nothing=$(count nothing $apart)
    [ "$nothing" -gt 0 ] || { echo "callgrind counts nothing"; exit 1; }
    for pair in "at each 105" "at batches 110" "runs cpp_runs 105"; do
        [ "$pair$apart" != "at batches 110" ] || continue # of one run gcc vectorises C's loop, and not a batch's
        # A pair is two words, and what hundredths the second may take of the first.
        # shellcheck disable=SC2086
        set -- $pair
        c=$(($(count "$1" $apart) - nothing)) cpp=$(($(count "$2" $apart) - nothing))
        echo "${apart:-together}: $1 $c, $2 $cpp: $((cpp * 1000 / c)) thousandths"
        [ $((cpp * 100)) -le $((c * $3)) ] || { echo "over $3 hundredths"; exit 1; }
    done
done
