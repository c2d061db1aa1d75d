#!/bin/sh
# wine.sh PROGRAM [ARGUMENT...]: runs a program for Windows under Wine, in a Windows of its own below build/ that no
# other program uses (or in WINEPREFIX). Its lines end as on the host, so that scripts can read them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export WINEPREFIX="${WINEPREFIX:-$(dirname "$here")/build/wine}" WINEDEBUG=-all
for wine in wine64 /usr/lib/wine/wine64 wine; do ! command -v "$wine" > /dev/null || break; done
for server in wineserver64 /usr/lib/wine/wineserver64 wineserver; do ! command -v "$server" > /dev/null || break; done
system=$WINEPREFIX/drive_c/windows/system32
mkdir -p "$WINEPREFIX"
(
    flock 9
    # What Windows runs in the background stays for a minute, so that each test needn't start it.
    "$server" -p60 > /dev/null 2>&1 9>&- || true
    [ -d "$system" ] || "$wine" wineboot --init > /dev/null 2>&1 9>&-
    # Rust's standard library asks this DLL for random numbers. Windows has had it since 8, Wine only of late.
    [ -f "$system/bcryptprimitives.dll" ] || x86_64-w64-mingw32-gcc -shared -o "$system/bcryptprimitives.dll" \
        "$here/bcryptprimitives.c" -ladvapi32
) 9> "$WINEPREFIX/lock"
out=$(mktemp)
trap 'rm -f "$out" "$out.err"' EXIT
code=0
"$wine" "$@" > "$out" 2> "$out.err" || code=$?
tr -d '\r' < "$out"
tr -d '\r' < "$out.err" >&2
exit $code
