#!/bin/sh
# compare.sh COMMAND...: runs a conformance program, of whatever language, and compares what it prints with expected.txt.
set -eu
out=$(mktemp)
trap 'rm -f "$out" "$out.unix"' EXIT
"$@" > "$out" || { status=$?; cat "$out"; echo "it failed with $status (above: what it printed)"; exit "$status"; }
tr -d '\r' < "$out" > "$out.unix" # Windows
diff -u "$(dirname "$0")/expected.txt" "$out.unix" || { echo "- expected, + printed"; exit 1; }
