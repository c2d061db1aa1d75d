#!/bin/sh
# test.sh ODIN LIBRARY_FOLDER OUT: the tests of the Odin binding with that compiler, against the library in that folder; what is built
# goes to OUT. Exit code 77, which CTest takes for "skipped", where there is no compiler.
set -eu
odin=$1 library=$2 out=$3
here=$(cd "$(dirname "$0")" && pwd)

# What can be seen without a compiler: each status has its place in error.odin (tests/error_test.odin says that it is the right one).
for status in $(sed -n '/^dz_status :: enum/,/^}/s/^ *\(DZ_[A-Z_]*\) = .*/\1/p' "$here/raw.odin"); do
    grep -q "dz_status\.$status)" "$here/error.odin" || { echo "error.odin lacks $status"; exit 1; }
done

if ! command -v "$odin" > /dev/null; then
    echo "NOT TESTED: the Odin binding: there is no Odin compiler"
    exit 77
fi
mkdir -p "$out"
set -- -vet -strict-style "-collection:denizen=$here/.."
shared="-L$library -Wl,-rpath,$library"
static="-L$library -lpthread -ldl -lm"
"$odin" test "$here/tests" "$@" -define:ODIN_TEST_FANCY=false -define:DENIZEN_CHECKS=true "-extra-linker-flags:$shared" "-out:$out/odin_tests"
# A component whose value was forgotten is no value itself; a tag has none, and its pairs neither; a type without a name is no component.
# Where nothing else tells of an error, it can't be forgotten.
cat > "$out/refused.odin" << EOF
package refused
import dz "denizen:odin"
main :: proc() {
	world, _ := dz.world_create()
	mass, _ := dz.component(world, int, "Mass")
	dz.set(world, 0, mass)
	Frozen :: struct {}
	dz.set(world, 0, Frozen{})
	dz.set(world, 0, 5)
	frozen, _ := dz.component(world, Frozen)
	dz.set_pair(world, 0, frozen, 0, Frozen{})
	dz.query_parse(world, "Frozen")
	it := dz.iterate(world, {})
	dz.iter_error(&it)
}
EOF
if "$odin" check "$out/refused.odin" -file "-collection:denizen=$here/.." > "$out/refused.txt" 2>&1 ||
    ! grep -q "T :: Component" "$out/refused.txt" || ! grep -q "T :: Frozen" "$out/refused.txt" ||
    ! grep -q "T :: int" "$out/refused.txt" || ! grep -q "refused.odin(11:" "$out/refused.txt" ||
    [ "$(grep -c "requires that its results" "$out/refused.txt")" != 2 ]; then
    echo "dz.set without a value, of a tag, of a type without a name, dz.set_pair of a tag, or an error forgotten isn't refused:"
    cat "$out/refused.txt"
    exit 1
fi
"$odin" build "$here/conformance" "$@" "-extra-linker-flags:$shared" "-out:$out/odin_conformance"
sh "$here/../conformance/compare.sh" "$out/odin_conformance"
"$odin" build "$here/conformance" "$@" -o:speed -define:DENIZEN_SHARED=false "-extra-linker-flags:$static" "-out:$out/odin_static"
sh "$here/../conformance/compare.sh" "$out/odin_static"
"$odin" build "$here/quickstart" "$@" "-extra-linker-flags:$shared" "-out:$out/odin_quickstart"
[ "$("$out/odin_quickstart")" = "the ship is at 1 2 0
dz_set: entity E:1-256[1] is dead: its slot is now at generation 2" ] || { "$out/odin_quickstart"; exit 1; }
