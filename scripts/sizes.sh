#!/bin/sh
# Prints how large the shared library is without what only debuggers need, and how long the C header takes to compile.
# Fails if the library isn't under 1 MB where that was measured: on x86-64 Linux; or if dz_get there doesn't begin where a
# line of the cache does (src/ffi/lines.rs).
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_rust
need_cc
cargo build --release --lib --quiet
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
strip -o "$dir/libdenizen.so" "${CARGO_TARGET_DIR:-target}/release/libdenizen.so"
bytes=$(wc -c < "$dir/libdenizen.so")
echo "libdenizen.so, stripped: $bytes bytes"
if [ "$(uname -sm)" = "Linux x86_64" ] && [ "$bytes" -ge 1000000 ]; then
    echo "that is 1 MB or more" >&2
    exit 1
fi
if [ "$(uname -sm)" = "Linux x86_64" ] && ! nm -D "$dir/libdenizen.so" | grep -q '[048c]0 T dz_get$'; then
    echo "dz_get begins somewhere in a line of the cache" >&2
    exit 1
fi
echo '#include <denizen/denizen.h>' > "$dir/header.c"
python3 - "$CC" -std=c99 -Iinclude -c "$dir/header.c" -o "$dir/header.o" <<'PYTHON'
import subprocess, sys, time
def once():
    start = time.perf_counter()
    subprocess.run(sys.argv[1:], check=True)
    return 1000 * (time.perf_counter() - start)
print(f"denizen.h, compiled by {sys.argv[1]}: {min(once() for _ in range(20)):.0f} ms, the fastest of 20")
PYTHON
