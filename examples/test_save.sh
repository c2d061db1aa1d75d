#!/bin/sh
# Tests saving and loading: a world with some of everything, worlds at random, damaged files. Usage: test_save.sh SAVE. The exit
# status is 0 if nothing failed. SAVE_RUNNER may hold a command to run the program under, SAVE_WORLDS how many worlds are made at random.
[ $# -eq 1 ] || { echo "usage: $0 SAVE" >&2; exit 2; }
program=$1
runner=${SAVE_RUNNER:-}
. "$(dirname "$0")/expect.sh"
worlds=${SAVE_WORLDS:-200}

# --- what works

expect help 0 --help && says help "$out" "--ships N"
expect "some of everything" 0 "$dir/save.bin"
silent "some of everything"
says "some of everything" "$out" "save.bin: 278 entities, "
says "some of everything" "$out" "both worlds are the same"
expect "loaded alone" 0 --load "$dir/save.bin" && says "loaded alone" "$out" "save.bin: 278 entities, loaded in "
expect "no ships" 0 --ships 0 "$dir/empty.bin" && says "no ships" "$out" "both worlds are the same"
expect "worlds at random" 0 --random "$worlds"
silent "worlds at random"
says "worlds at random" "$out" "$worlds worlds at random, "
expect "other worlds" 0 --random 20 --seed 4294967295 && says "other worlds" "$out" "20 worlds at random, "
expect "damaged saves" 0 --damage 500
silent "damaged saves"
says "damaged saves" "$out" "500 damaged saves: "

# --- what doesn't

# patched NAME AT BYTES: a copy of the save with these bytes, for printf, at that place.
patched() {
    cp "$dir/save.bin" "$dir/$1.bin"
    printf "$3" | dd of="$dir/$1.bin" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
patched version 8 '\002'
patched magic 0 'x'
patched layout 12 '\001'
patched name 41 'X'
patched length 37 '\377\377\377\377'
patched size 49 '\011'
dd if="$dir/save.bin" of="$dir/cut.bin" bs=1 count=1000 2>/dev/null
{ cat "$dir/save.bin"; echo; } >"$dir/longer.bin"
: >"$dir/nothing.bin"
refused() {
    expect "$1" 1 --load "$dir/$1.bin" && says "$1" "$err" "$dir/$1.bin: " && says "$1" "$err" "$2"
    [ ! -s "$out" ] || fail "$1" "prints something"
}
refused "no such file" "No such file"
refused version "at byte 12: a save of version 2; this program reads 1"
refused magic "at byte 8: this is no save"
refused layout "at byte 16: a save of a world of the other layout"
refused name 'of the component "Xosition" the program knows nothing'
refused length "at byte 41: 4294967295 of something, which takes more bytes than there are"
refused size '"Position" has another size here'
refused cut "the file ends too early"
refused longer "there is more behind the world"
refused nothing "at byte 0: the file ends too early"
expect "into nowhere" 1 "$dir/no/where.bin" && says "into nowhere" "$err" "where.bin: "
if [ -c /dev/full ]; then
    expect "full disk" 1 /dev/full && says "full disk" "$err" "/dev/full: cannot write: "
fi
bad_option "unknown option" 'unknown option "--bogus"' --bogus
bad_option "no number" 'no number for it: "many"' --random many
bad_option "too many" 'no number for it: "1000001"' --ships 1000001
bad_option "nothing follows" 'a number must follow "--seed"' --seed

finish saves
