# The platforms that this machine isn't, each where its tools can be had: sourced by .ci/run. Bash.

# rust_target NAME: what Rust needs to build for it.
rust_target() {
    rustup target add "$@" > "$log" 2>&1
}

# workflow PRESET TESTS: a preset for another platform; of its tests at least so many ran.
workflow() {
    timeout 1500 cmake --workflow --preset "$1" > "$log" 2>&1
    local status=$?
    grep -E 'tests passed|\(Failed\)|\(Timeout\)|error:' "$log"
    [ $status -eq 0 ] || tail -n 80 "$log"
    [ $status -eq 0 ] && [ "$(grep -c ' Passed ' "$log")" -ge "$2" ]
}

# The other architecture whose kernels there are: unit tests and models, with short sequences.
aarch64() {
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -L /usr/aarch64-linux-gnu" \
        PROPTEST_CASES="${PROPTEST_CASES:-2}" \
        timeout 1200 cargo test --quiet --lib --test model --target aarch64-unknown-linux-gnu
}

# Without Apple's SDK nothing can be linked: the compiler checks all types, and build.rs names the library.
macos() {
    local target
    for target in aarch64-apple-darwin x86_64-apple-darwin; do
        cargo check --quiet --lib --target $target || return
        grep -hm 1 -- '-install_name,@rpath/libdenizen.dylib' "${CARGO_TARGET_DIR:-target}/$target/debug"/build/denizen-*/output || return
    done
}

if [ "$(uname -sm)" != "Linux x86_64" ]; then
    skip "aarch64, Windows, WebAssembly, macOS" "they are built and emulated on x86-64 Linux only"
elif ! command -v rustup > /dev/null; then
    skip "aarch64, Windows, WebAssembly, macOS" "there is no rustup to install Rust's targets"
else
    if provide qemu-aarch64-static qemu-user-static && rust_target aarch64-unknown-linux-gnu &&
        provide aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross; then
        step "unit tests and models for aarch64 under qemu" aarch64
        if provide ninja ninja-build && provide cmake cmake && provide aarch64-linux-gnu-g++ g++-aarch64-linux-gnu; then
            step "C tests and consumers for aarch64 under qemu" workflow aarch64 49
        else
            skip "C tests for aarch64 under qemu" "cmake, ninja or g++-aarch64-linux-gnu is missing"
        fi
    else
        skip "aarch64 under qemu" "no qemu-user, cross compiler or Rust target"
    fi

    if provide ninja ninja-build && provide cmake cmake && rust_target x86_64-pc-windows-gnu &&
        provide x86_64-w64-mingw32-g++-posix g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev &&
        { [ -x /usr/lib/wine/wine64 ] || provide wine64 wine64 > /dev/null || [ -x /usr/lib/wine/wine64 ]; }; then
        step "C tests and consumers for Windows under Wine" workflow windows 43
    else
        skip "Windows under Wine" "no MinGW, Wine, cmake, ninja or Rust target"
    fi

    if command -v node > /dev/null || provide node nodejs; then
        if rust_target wasm32-unknown-unknown; then
            step "the quickstart as WebAssembly in Node" scripts/wasm.sh
        else
            skip "WebAssembly" "Rust's target wasm32-unknown-unknown can't be had"
        fi
    else
        skip "WebAssembly" "no node"
    fi

    if rust_target aarch64-apple-darwin x86_64-apple-darwin; then
        step "macOS: types checked, not linked, not run" macos
    else
        skip "macOS" "Rust's targets can't be had"
    fi
fi
