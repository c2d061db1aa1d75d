#!/bin/sh
# Builds the library for WebAssembly, and runs the quickstart there, in Node, and here, in C: both print the same.
set -eu
cd "$(dirname "$0")/.."
. scripts/lib.sh
need_rust
need_cc
target=${CARGO_TARGET_DIR:-target}
cargo build --release --lib --quiet
cargo build --release --lib --quiet --target wasm32-unknown-unknown
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$CC" -std=c99 -Iinclude examples/quickstart.c "$target/release/libdenizen.a" -lpthread -ldl -lm -o "$dir/quickstart"
"$dir/quickstart" > "$dir/here"
module=$target/wasm32-unknown-unknown/release/denizen.wasm
node examples/wasm/quickstart.mjs "$module" | tee "$dir/there"
diff "$dir/here" "$dir/there"
# Every function of the header, and nothing that the host would have to provide.
node -e '
    const module = new WebAssembly.Module(require("fs").readFileSync(process.argv[1]));
    const exported = WebAssembly.Module.exports(module).filter((e) => e.name.startsWith("dz_")).length;
    const needed = WebAssembly.Module.imports(module).map((e) => e.module + "." + e.name);
    console.log(`${exported} functions exported, ${process.argv[2]} in the header, needs: ${needed.join(" ") || "nothing"}`);
    process.exit(exported === Number(process.argv[2]) && needed.length === 0 ? 0 : 1);
' "$module" "$(grep -c '^DZ_API' include/denizen/denizen.h)"
