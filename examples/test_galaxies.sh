#!/bin/sh
# Tests the galaxies: what the pictures are, that they are the same with any number of threads, and every way in which the
# command line can be wrong. Usage: test_galaxies.sh GALAXIES. Prints what failed; the exit status is 0 if nothing did.
# GALAXIES_RUNNER may hold a command to run the program under, such as "valgrind --quiet --error-exitcode=99".
[ $# -eq 1 ] || { echo "usage: $0 GALAXIES" >&2; exit 2; }
program=$1
runner=${GALAXIES_RUNNER:-}
. "$(dirname "$0")/expect.sh"

# differs NAME FILE FILE
differs() {
    tests=$((tests + 1))
    if cmp -s "$2" "$3"; then fail "$1" "the same"; fi
}

# bytes FILE FIRST COUNT: these bytes, in hexadecimal.
bytes() {
    dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null | od -An -v -tx1 | tr -d ' \n'
}

# png NAME FILE WIDTH HEIGHT: a PNG file of that size. Python knows how to read one, checksums and all.
png() {
    tests=$((tests + 3))
    [ "$(bytes "$2" 0 16)" = 89504e470d0a1a0a0000000d49484452 ] || fail "$1" "$2 doesn't begin like a PNG file"
    [ "$(bytes "$2" 16 13)" = "$(printf '%08x%08x0802000000' "$3" "$4")" ] || fail "$1" "$2 isn't $3x$4, 8-bit RGB"
    [ "$(tail -c 12 "$2" | od -An -v -tx1 | tr -d ' \n')" = 0000000049454e44ae426082 ] || fail "$1" "$2 doesn't end like a PNG file"
    command -v python3 >/dev/null 2>&1 || return 0
    tests=$((tests + 1))
    python3 - "$2" "$3" "$4" >"$out" 2>"$err" <<'PYTHON' || fail "$1" "$2 can't be read"
import struct, sys, zlib
data, width, height, at, image = open(sys.argv[1], "rb").read(), int(sys.argv[2]), int(sys.argv[3]), 8, b""
while at < len(data):
    (size,) = struct.unpack(">I", data[at:at + 4])
    chunk = data[at + 4:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(chunk), "a checksum is wrong"
    if chunk[:4] == b"IDAT":
        image += chunk[4:]
    at += 12 + size
image = zlib.decompress(image)
assert len(image) == height * (1 + 3 * width), "the image is too short or too long"
light = sorted(image)
assert light[len(light) // 2] < 100 and light[-len(light) // 1000] > 150, "it isn't bright on dark"
PYTHON
}

small="--entities 20000 --frames 2 --steps 6 --size 193x108"

# --- what works

expect help 0 --help && says help "$out" "--entities N"
expect pictures 0 $small --threads 1 --out "$dir/a-"
says pictures "$out" "$dir/a-0001.png: step 6, "
says pictures "$out" "$dir/a-0002.png: step 12, "
says pictures "$out" "20000 entities, threads: 1. 12 steps took"
silent pictures
grep png "$out" | sed 's/^[^:]*//' >"$dir/a"
png pictures "$dir/a-0001.png" 193 108
png pictures "$dir/a-0002.png" 193 108
differs "two pictures" "$dir/a-0001.png" "$dir/a-0002.png"
for threads in 2 3 12; do
    expect "$threads threads" 0 $small --threads $threads --out "$dir/b-"
    grep png "$out" | sed 's/^[^:]*//' >"$dir/b"
    same "$threads threads" "$dir/a" "$dir/b"
    same "$threads threads" "$dir/a-0001.png" "$dir/b-0001.png"
    same "$threads threads" "$dir/a-0002.png" "$dir/b-0002.png"
done
expect "another seed" 0 $small --seed 4294967295 --out "$dir/c-"
differs "another seed" "$dir/a-0002.png" "$dir/c-0002.png"
expect "option=value" 0 --entities=20000 --frames=1 --steps=12 --size=193x108 --seed=1 "--out=$dir/d="
same "option=value, and pictures don't disturb" "$dir/a-0002.png" "$dir/d=0001.png"
expect "no picture" 0 --entities 1000 --frames 0 --steps 3 && says "no picture" "$out" "3 steps took"
expect "the smallest" 0 --entities 1000 --frames 1 --steps 1 --size 64x64 --out "$dir/e-"
png "the smallest" "$dir/e-0001.png" 64 64
expect "larger than a block" 0 --entities 1000 --frames 1 --steps 1 --size 640x64 --out "$dir/f-"
png "larger than a block" "$dir/f-0001.png" 640 64

# --- what is wrong

bad_option "unknown option" 'unknown option "--bogus"' --bogus
bad_option "unknown word" 'unknown option "now"' now
bad_option "half an option" 'unknown option "--ent"' --ent 1000
bad_option "empty option" 'unknown option ""' ""
for option in --entities --frames --steps --size --out --threads --seed; do
    bad_option "$option alone" "$option needs a value" $option
    bad_option "$option empty" "$option needs a value" $option ""
done
for n in 999 10000001 -1 1e6 many 0x1000 1000.5 " 1000" 18446744073709552616; do
    bad_option "entities $n" "--entities: \"$n\" is not a whole number from 1000 to 10000000" --entities "$n"
done
bad_option "frames" '--frames: "10000" is not a whole number from 0 to 9999' --frames 10000
bad_option "steps" '--steps: "0" is not a whole number from 1 to 10000' --steps 0
bad_option "no thread" '--threads: "0" is not a whole number from 1 to 64' --threads 0
bad_option "threads" '--threads: "65" is not a whole number from 1 to 64' --threads 65
bad_option "seed" '--seed: "4294967296" is not a whole number from 0 to 4294967295' --seed 4294967296
for size in 63x64 64x63 8193x64 64x 64 x64 64X64 64x64x64 -64x64; do
    bad_option "size $size" "--size: \"$size\" is not a size like 1280x720" --size $size
done
bad_option "a long name" "--out: longer than 4000 characters" --out "$(printf '%04001d' 0)"
expect "into nowhere" 1 --entities 1000 --frames 1 --steps 1 --size 64x64 --out "$dir/no/where-" &&
    says "into nowhere" "$err" "$dir/no/where-0001.png: cannot write: "
if [ -c /dev/full ]; then
    ln -s /dev/full "$dir/full-0001.png"
    expect "full disk" 1 --entities 1000 --frames 1 --steps 1 --size 64x64 --out "$dir/full-" &&
        says "full disk" "$err" "$dir/full-0001.png: cannot write: "
    tests=$((tests + 1))
    $runner "$program" --entities 1000 --frames 0 --steps 1 >/dev/full 2>"$err"
    [ $? -eq 1 ] || fail "full disk for stdout" "not an error"
    tests=$((tests + 1))
    $runner "$program" --entities 1000 --frames 1 --steps 1 --size 64x64 --out "$dir/frame-" >/dev/full 2>"$err"
    [ $? -eq 1 ] && says "full disk for the frames' lines" "$err" "cannot write the output" ||
        fail "full disk for the frames' lines" "not an error that says so"
fi

finish galaxies
