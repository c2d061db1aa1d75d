# Shared by ./demo, ./test and .ci/run: sourced, not run. POSIX sh.

say() { printf '\n== %s\n' "$*"; }

# need_rust: cargo is there, or we say how to get it.
need_rust() {
    [ -x "$HOME/.cargo/bin/cargo" ] && PATH=$PATH:$HOME/.cargo/bin
    command -v cargo > /dev/null && return
    echo "Rust is missing: denizen's core is written in it. Install it (see https://rustup.rs), then run this again." >&2
    exit 1
}

# need_cc: a C compiler is there, as cc.
need_cc() {
    CC=${CC:-cc}
    command -v "$CC" > /dev/null || provide cc gcc libc6-dev && return
    echo "A C compiler is missing: install one, e.g. the packages gcc and libc6-dev, then run this again." >&2
    exit 1
}

# provide PROGRAM PACKAGE...: the program is there, or is installed with Debian's package manager, saying so first.
# Where that can't be done it says what to install, and fails.
provide() {
    program=$1
    shift
    command -v "$program" > /dev/null && return
    if ! command -v apt-get > /dev/null; then
        echo "$program is missing: install it with your system's package manager (on Debian: $*)."
        return 1
    elif [ "$(id -u)" -eq 0 ]; then
        root=
    elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
        root="sudo -n"
    else
        echo "$program is missing. To install it: sudo apt-get install $*"
        return 1
    fi
    echo "$program is missing: installing $* with apt-get"
    [ -n "${apt_updated:-}" ] || $root apt-get update -qq > /dev/null
    apt_updated=yes
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" > /dev/null < /dev/null
    command -v "$program" > /dev/null && return
    echo "$program could not be installed. To try by hand: apt-get install $*"
    return 1
}

# provide_python FILE REQUIREMENT: FILE is in build/python, or is installed there from PyPI, saying so first. Nothing else of
# the machine is changed: the packages are in that folder, which a system's Python has no say in. --upgrade: without it, pip
# leaves out the programs (bin) of a second package.
provide_python() {
    [ -e "build/python/$1" ] && return
    provide python3 python3 || return
    python3 -m pip --version > /dev/null 2>&1 || provide pip3 python3-pip || return
    echo "$1 is missing: installing $2 from PyPI into build/python"
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --upgrade --target build/python "$2" &&
        [ -e "build/python/$1" ] && return
    echo "$1 could not be installed. To try by hand: python3 -m pip install --upgrade --target build/python '$2'"
    return 1
}

# provide_zig: a Zig compiler of the series that the binding is for is there.
provide_zig() {
    command -v zig > /dev/null && zig version | grep -q '^0\.17\.' && return
    provide_python ziglang/zig 'ziglang==0.17.*'
}

# The steps of a run and what came of them. step NAME COMMAND...: runs it, and notes how it ended and how long it took.
passed=0 failed=0 skipped=0 summary=
note() {
    summary="$summary$1
"
    echo "$1"
}
step() {
    name=$1
    shift
    say "$name"
    start=$(date +%s)
    if "$@"; then
        passed=$((passed + 1))
        note "PASSED      $name ($(($(date +%s) - start)) s)"
    else
        failed=$((failed + 1))
        note "FAILED      $name ($(($(date +%s) - start)) s)"
    fi
}
# skip NAME REASON
skip() {
    skipped=$((skipped + 1))
    note "NOT TESTED  $1: $2"
}
# finish: the summary again. Fails if a step did.
finish() {
    printf '\n%s' "$summary"
    [ $failed -eq 0 ]
}
