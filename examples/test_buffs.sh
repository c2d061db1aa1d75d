#!/bin/sh
# Tests the buffs: what runs out in which second, on whom. Usage: test_buffs.sh BUFFS. The exit status is 0 if nothing failed.
# BUFFS_RUNNER may hold a command to run the program under.
[ $# -eq 1 ] || { echo "usage: $0 BUFFS" >&2; exit 2; }
program=$1
runner=${BUFFS_RUNNER:-}
. "$(dirname "$0")/expect.sh"

expect buffs 0
silent buffs
says "a second value" "$out" "Bob gets 70 points of HealthBuff for 2 s"
says "the end" "$out" "no buff is left: 0, 0 and 0"

# In which order those of one second come is the library's affair.
awk '/^second/ { second = $2 + 0; print } / is over$/ { sub(/^ */, ""); print "second " second ": " $0 }' "$out" >"$dir/got"
cat >"$dir/want" <<'END'
second 1, 5 buffs are running
second 1: Ann's StaminaBuff is over
second 2, 4 buffs are running
second 2: Ann's ManaBuff is over
second 2: Bob's HealthBuff is over
second 3, 2 buffs are running
second 3: Ann's HealthBuff is over
second 3: Bob's ManaBuff is over
END
LC_ALL=C sort -o "$dir/got" "$dir/got"
LC_ALL=C sort -o "$dir/want" "$dir/want"
same "what is over, and when" "$dir/want" "$dir/got"

finish buffs
