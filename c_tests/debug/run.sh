#!/bin/sh
# run.sh gdb|lldb PROGRAM PRINTERS: what a debugger shows of the program's variables is what it should be, and looking
# disturbs nothing. Status 77: this debugger can't call functions here, so there is nothing to test.
set -u
debugger=$1 program=$2 printers=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

not_tested() {
    echo "NOT TESTED  the printers for $debugger: $*"
    exit 77
}

# same WANTED: what stands between the marks is that file, but for counts of bytes.
same() {
    sed -n '/^--- /,$p' shown | sed 's/[0-9]* bytes/N bytes/; s/(process [0-9]*)/(process N)/; /^Saved corefile/d; /^warning:/d' > got
    diff -u "$here/$1" got && return
    cat said
    exit 1
}

run_gdb() {
    timeout 120 gdb -batch -nx -ex "source $printers/denizen_gdb.py" -ex "file $program" "$@" > shown 2> said
}

case $debugger in
gdb)
    # Some versions can't write the registers of newer processors, which gdbserver can.
    if run_gdb -ex "break stop_here" -ex run -ex 'printf "version %d\n", (int)dz_version()' && grep -q '^version [0-9]' shown; then
        start="starti" remote="echo"
    elif command -v gdbserver > /dev/null; then
        start="set sysroot /" remote="target remote | gdbserver --once stdio $program 2> /dev/null"
    else
        not_tested "it can't call functions ($(tail -n 1 said)), and there is no gdbserver"
    fi
    run_gdb -ex "$start" -ex "$remote" -x "$here/look.gdb"
    same look.gdb.txt
    run_gdb -ex "core-file inspected.core" -x "$here/core.gdb"
    same core.gdb.txt
    ;;
lldb)
    # Debian's package looks for its Python module where it is not, and takes the first python3 of PATH for its own.
    PATH=/usr/bin:/bin:$PATH
    for path in /usr/lib/llvm-*/lib/python3*/dist-packages; do
        PYTHONPATH=$path${PYTHONPATH:+:$PYTHONPATH}
    done
    export PYTHONPATH
    timeout 120 lldb -b -o "script print('python', 'works')" > shown 2>&1
    grep -q '^python works' shown || not_tested "its Python doesn't work: $(grep Error shown | head -n 1)"
    timeout 120 lldb -b -o "command script import $printers/denizen_lldb.py" -s "$here/look.lldb" "$program" > all 2> said
    { echo "--- lldb" && sed -n '/^(dz_/p; s/^Process .* exited with/exited with/p' all; } > shown
    same look.lldb.txt
    ;;
esac
