# Shared by the examples' tests: sourced, not run. `program` is set before, and `runner`: a command to run it
# under, or nothing. Makes a folder `dir` for files of the test. POSIX sh.
tests=0
failures=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/expect.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'exit 2' HUP INT TERM
out=$dir/out
err=$dir/err

# fail NAME WHAT: counts a failure and shows what the program said.
fail() {
    failures=$((failures + 1))
    echo "FAILED: $1: $2"
    sed 's/^/    stdout: /' "$out" | head -5
    sed 's/^/    stderr: /' "$err" | head -5
}

# expect NAME STATUS ARGUMENTS...: runs the program, and compares its exit status.
expect() {
    name=$1 want=$2
    shift 2
    tests=$((tests + 1))
    $runner "$program" "$@" >"$out" 2>"$err" </dev/null
    got=$?
    [ $got -eq "$want" ] || { fail "$name" "exit status $got, not $want"; return 1; }
}

# says NAME FILE TEXT: that the last run wrote this text.
says() {
    tests=$((tests + 1))
    grep -F -e "$3" "$2" >/dev/null || { fail "$1" "doesn't say: $3"; return 1; }
}

# same NAME FILE FILE
same() {
    tests=$((tests + 1))
    cmp -s "$2" "$3" || fail "$1" "not the same"
}

# silent NAME: that the last run had nothing to say on stderr, but how far it has come, which a slow machine makes it say.
silent() {
    tests=$((tests + 1))
    if grep -v '^step [0-9]* of [0-9]*' "$err" >/dev/null; then fail "$1" "says something on stderr"; fi
}

# bad_option NAME TEXT ARGUMENTS...: status 2, the text on stderr, nothing on stdout.
bad_option() {
    name=$1 text=$2
    shift 2
    expect "$name" 2 "$@" && says "$name" "$err" "$text"
    [ ! -s "$out" ] || fail "$name" "prints something"
}

# finish WHAT: the counts. Fails if a test did.
finish() {
    echo "$tests tests of the $1, $failures failed"
    [ $failures -eq 0 ]
}
