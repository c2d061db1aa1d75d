#!/bin/sh
# Tests the orrery: every option, every way in which its files and its command line can be wrong, and its positions against
# known ones. Usage: test_orrery.sh ORRERY DATA_DIRECTORY. Prints what failed; the exit status is 0 if nothing did.
# ORRERY_RUNNER may hold a command to run the program under, such as "valgrind --quiet --error-exitcode=99".
[ $# -eq 2 ] || { echo "usage: $0 ORRERY DATA_DIRECTORY" >&2; exit 2; }
program=$1
runner=${ORRERY_RUNNER:-}
data=$2/solar_system.csv
known=$2/ephemeris_check.csv
. "$(dirname "$0")/expect.sh"

# bad_file NAME LINE TEXT LINES...: a data file of these lines is refused, with file:line: and the text.
bad_file() {
    name=$1 line=$2 text=$3
    shift 3
    printf '%s\n' "$@" >"$dir/bad.csv"
    expect "$name" 1 --data "$dir/bad.csv" --date 2026-01-01 && says "$name" "$err" "$dir/bad.csv:$line: $text"
}

header='name,parent,radius_km,colour,a_au,e,i_deg,l_deg,peri_deg,node_deg,a_cy,e_cy,i_cy,l_cy,peri_cy,node_cy,distance_km,period_days,longitude_deg,pole_ra_deg,pole_dec_deg'
sun='Sun,,695700,#ffd75e,,,,,,,,,,,,,,,,,'
earth='Earth,Sun,6371,#5fa8f5,1.00000261,0.01671123,-0.00001531,100.46457166,102.93768193,0,0.00000562,-0.00004392,-0.01294668,35999.37244981,0.32327364,0,,,,,'
moon='Moon,Earth,1737.4,#cfcfcf,,,,,,,,,,,,,384400,27.32166155,218.3213,269.9949,66.5392'

# --- what works

expect help 0 --help && says help "$out" "--picture FILE.svg"
expect today 0 --data "$data" && says today "$out" "The solar system on $(date -u +%Y)"
silent today
expect table 0 --data "$data" --date 2000-01-01
silent table
says table "$out" "JD 2451544.500"
for body in Sun Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune Moon Phobos Deimos Io Europa Ganymede Callisto \
    Mimas Enceladus Tethys Dione Rhea Titan Iapetus Miranda Ariel Umbriel Titania Oberon Triton; do
    tests=$((tests + 1))
    [ "$(grep -c "^$body " "$out")" -eq 1 ] || fail table "not one row of $body"
done
says table "$out" "Earth        Sun        99.8706   -0.0000   0.98331"
says table "$out" "Triton       Neptune"

expect "a moon by its path" 0 --data "$data" --date 2026-01-01 --show sun.earth.moon
silent "a moon by its path"
cp "$out" "$dir/moon"
says "a moon by its path" "$out" "sun.earth.moon on 2026-01-01, JD 2461041.500 TDB"
tests=$((tests + 1))
[ "$(awk '$1 == "Moon" { print $2 }' "$out" | tr '\n' ' ')" = "Earth Sun " ] || fail "a moon by its path" "not as seen from Earth, then the Sun"
says "a moon by its path" "$out" "children: none"
expect "the table" 0 --data "$data" --date 2026-01-01
tests=$((tests + 2))
[ "$(grep '^Moon ' "$out")" = "$(grep '^Moon  *Earth' "$dir/moon")" ] || fail "a moon from its planet" "not the row of the table"
cat "$out" "$dir/moon" | awk '
    $1 == "Earth" { for (k = 6; k <= 8; k++) earth[k] = $k }
    $1 == "Moon" && $2 == "Earth" { for (k = 6; k <= 8; k++) moon[k] = $k }
    $1 == "Moon" && $2 == "Sun" { for (k = 6; k <= 8; k++) if ((d = $k - earth[k] - moon[k]) > 3e-8 || d < -3e-8) bad = 1; seen = 1 }
    END { exit bad || !seen }' || fail "a moon from the Sun" "not the sum of Earth and Moon"
expect "large letters" 0 --data "$data" --date 2026-01-01 --show Sun.Earth.Moon
same "large letters" "$out" "$dir/moon"
expect "a planet by its path" 0 --data "$data" --show sun.mars && says "a planet by its path" "$out" "children: phobos deimos"
expect "the Sun by its path" 0 --data "$data" --show sun
says "the Sun by its path" "$out" "children: mercury venus earth mars jupiter saturn uranus neptune"
for path in sun.earth.mond sun.mars.moon moon earth.moon sun.earth.moon.sun sun..moon .sun sun. . "sun.earth.moon " \
    a.very.long.path.that.leads.through.more.than.a.hundred.letters.and.so.to.nobody.of.all.those.who.are.in.the.file.at.all; do
    expect "no $path" 1 --data "$data" --show "$path" && says "no $path" "$err" "there is no body \"$path\""
    [ ! -s "$out" ] || fail "no $path" "prints something"
done

expect positions 0 --data "$data" --check "$known" && says positions "$out" "All within the limits"
for body in Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune; do
    tests=$((tests + 1))
    rows=$(awk -v body=$body '$1 == body && $2 == "Sun" { print $3 }' "$out")
    [ "${rows:-0}" -ge 20 ] || fail positions "only ${rows:-0} rows of $body"
done

expect picture 0 --data "$data" --date 2026-01-01 --belt 500 --picture "$dir/a.svg"
silent picture
tests=$((tests + 3))
head -n 1 "$dir/a.svg" | grep '^<svg ' >/dev/null || fail picture "no <svg at its beginning"
tail -n 1 "$dir/a.svg" | grep '^</svg>$' >/dev/null || fail picture "no </svg> at its end"
grep -i -e nan -e '[^a-z]inf' "$dir/a.svg" | grep -v '<text' | grep . >/dev/null && fail picture "a coordinate is no number"
for word in Mercury Neptune Titan Triton "1 January 2026" "square-root scale" "a belt of 500 bodies"; do
    says picture "$dir/a.svg" "$word"
done
if command -v xmllint >/dev/null 2>&1; then
    tests=$((tests + 1))
    xmllint --noout "$dir/a.svg" 2>"$err" || fail picture "not well-formed"
fi
expect again 0 --data "$data" --date 2026-01-01 --belt 500 --picture "$dir/b.svg"
same "the same picture twice" "$dir/a.svg" "$dir/b.svg"

expect belt 0 --data "$data" --date 2026-01-01 --belt 3000 --days 3
says belt "$out" "Advanced 3 days in 3 steps of 1 days"
says belt "$out" "(3028 bodies)"
says belt "$out" "The solar system on 2026-01-04"
expect "no belt" 0 --data "$data" --date 2026-01-01 --belt 0 --days 0 && says "no belt" "$out" "nothing to do"
expect "last step shorter" 0 --data "$data" --date 2026-01-01 --days 10 --step 3 && says "last step shorter" "$out" "in 4 steps of 3 days"
expect advanced 0 --data "$data" --date 2025-12-22 --days 10 --step 0.7
sed '/^Advanced/d' "$out" | sed '$d' >"$dir/advanced"
expect direct 0 --data "$data" --date 2026-01-01
same "advancing ends where starting there begins" "$out" "$dir/advanced"
expect "option=value" 0 "--data=$data" --date=2026-01-01
same "option=value" "$out" "$dir/advanced"

for date in 1800-01-01 2050-12-31 2000-02-29; do
    expect "$date" 0 --data "$data" --date $date
    silent "$date"
done
for date in 1799-12-31 2051-01-01 0001-01-01 9999-12-31; do
    expect "$date" 0 --data "$data" --date $date && says "$date" "$err" "fitted to the years 1800 to 2050"
done
expect "days beyond 2050" 0 --data "$data" --date 2050-12-31 --days 1 --step 1 && says "days beyond 2050" "$err" "1800 to 2050"
expect "the first day" 0 --data "$data" --date 0001-01-01 && says "the first day" "$out" "JD 1721425.500"

expect plain 0 --data "$data" --date 2026-01-01
cp "$out" "$dir/plain"
awk '{ printf "%s\r\n", $0 }' "$data" >"$dir/crlf.csv"
expect CRLF 0 --data "$dir/crlf.csv" --date 2026-01-01
same CRLF "$out" "$dir/plain"
{ printf '\357\273\277'; grep -v '^#' "$data"; } >"$dir/bom.csv"
expect "byte order mark" 0 --data "$dir/bom.csv" --date 2026-01-01
same "byte order mark" "$out" "$dir/plain"
awk -F, -v OFS=, '/^#/ { next } { x = $1; $1 = $21; $21 = x; x = $5; $5 = $18; $18 = x; print }' "$data" >"$dir/order.csv"
expect "columns in another order" 0 --data "$dir/order.csv" --date 2026-01-01
same "columns in another order" "$out" "$dir/plain"
awk '!/^#/ { print $0 ",note" }' "$data" >"$dir/more.csv"
expect "a column more" 0 --data "$dir/more.csv" --date 2026-01-01
same "a column more" "$out" "$dir/plain"
printf '%s\n' "$header" "" "# a comment" "$moon" "$earth" "$sun" >"$dir/small.csv"
expect "moon before planet" 0 --data "$dir/small.csv" --date 2026-01-01 && says "moon before planet" "$out" "Moon         Earth"
printf '%s\n%s\n%s' "$header" "$sun" "$earth" >"$dir/end.csv"
expect "no newline at the end" 0 --data "$dir/end.csv" --date 2026-01-01 && says "no newline at the end" "$out" "Earth        Sun"
printf '%s\n' "$header" "$sun" >"$dir/sun.csv"
expect "only a Sun" 0 --data "$dir/sun.csv" --date 2026-01-01 --days 1 --picture "$dir/sun.svg"
printf '%s\n' "$header" "$sun" "$earth" "$moon" | sed 's/^Moon/<M\&n>/' >"$dir/xml.csv"
expect "names in XML" 0 --data "$dir/xml.csv" --date 2026-01-01 --picture "$dir/xml.svg" && says "names in XML" "$dir/xml.svg" "&lt;M&amp;n&gt;"
printf '%s\n' "$header" "$sun" "$earth" "$moon" | sed 's/0.01671123,/0.999,/; s/-0.00004392/0/' >"$dir/comet.csv"
expect "a long ellipse" 0 --data "$dir/comet.csv" --date 2026-01-01 --days 400 --picture "$dir/comet.svg"

# --- command lines that are wrong

bad_option "unknown option" 'unknown option "--bogus"' --bogus
bad_option "unknown word" 'unknown option "now"' now
bad_option "half an option" 'unknown option "--dat"' --dat 2026-01-01
bad_option "empty option" 'unknown option ""' ""
for option in --date --picture --belt --days --step --data --check --show; do
    bad_option "$option alone" "$option needs a value" $option
    bad_option "$option empty" "$option needs a value" $option ""
done
for date in 2026-13-01 2026-00-10 2026-02-29 1900-02-29 2026-04-31 2026-1-1 2026-01-00 0000-01-01 20260101 2026/01/01 tomorrow \
    2026-01-011 -026-01-01 10000-01-01 2026-01-1x; do
    bad_option "date $date" "\"$date\" is not a date" --date "$date"
done
for n in -1 5000001 1.5 many 1e99 0x10 nan "1 " 12k; do
    bad_option "belt $n" "is not a whole number from 0 to 5000000" --belt "$n"
done
for n in -1 1000001 soon nan inf 0x1 "" ; do
    [ -n "$n" ] && bad_option "days $n" "is not a number from 0 to 1000000" --days "$n"
done
for n in 0 -1 0.0001 36526 big nan; do
    bad_option "step $n" "is not a number from 0.001 to 36525" --step "$n"
done
bad_option "beyond 9999" "beyond the year 9999" --date 9999-12-31 --days 1

# --- files that are wrong

expect "missing file" 1 --data "$dir/none.csv" && says "missing file" "$err" "$dir/none.csv: cannot open: "
expect "a directory" 1 --data "$dir" && says "a directory" "$err" "$dir"
: >"$dir/bad.csv"
expect "empty file" 1 --data "$dir/bad.csv" && says "empty file" "$err" "$dir/bad.csv:1: the file is empty"
bad_file "only comments" 3 "the file is empty" "# one" "# two"
bad_file "missing column" 2 'the header lacks the column "e"' "# comment" "$(echo "$header" | sed 's/,e,/,/')" "$sun"
bad_file "column twice" 1 'the header repeats the column "e"' "$header,e" "$sun,"
bad_file "too many columns" 1 "34 columns, and at most 32 are allowed" "$header,,,,,,,,,,,,," "$sun"
bad_file "too few fields" 3 "20 fields, but the header names 21 columns" "$header" "$sun" "${earth%,}"
bad_file "too many fields" 2 "22 fields, but the header names 21 columns" "$header" "$sun,"
bad_file "a word" 2 "1 fields, but the header names 21 columns" "$header" "hello"
bad_file "not a number" 3 'e is "abc", which is not a number' "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,abc,/')"
bad_file "half a number" 3 'e is "0.01x", which is not a number' "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,0.01x,/')"
bad_file "nan" 3 'e is "nan", which is not a number' "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,nan,/')"
bad_file "hexadecimal" 3 'e is "0x1p-9", which is not a number' "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,0x1p-9,/')"
bad_file "too large a number" 3 'e is "1e999", which is not a number' "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,1e999,/')"
bad_file "e of 1" 3 "e is 1, which is outside 0 to" "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,1,/')"
bad_file "e below 0" 3 "e is -0.1, which is outside 0 to" "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,-0.1,/')"
bad_file "a of 0" 3 "a_au is 0, which is outside" "$header" "$sun" "$(echo "$earth" | sed 's/,1.00000261,/,0,/')"
bad_file "radius below 0" 2 "radius_km is -1, which is outside" "$header" "$(echo "$sun" | sed 's/695700/-1/')"
bad_file "period of 0" 4 "period_days is 0, which is too short" "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/27.32166155/0/')"
bad_file "pole beyond the pole" 4 "pole_dec_deg is 91, which is outside -90 to 90" "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/66.5392/91/')"
bad_file "element missing" 3 "e is missing" "$header" "$sun" "$(echo "$earth" | sed 's/,0.01671123,/,,/')"
bad_file "period missing" 4 "period_days is missing" "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/27.32166155//')"
bad_file "colour" 2 'colour is "yellow", and should be like #a0b1c2' "$header" "$(echo "$sun" | sed 's/#ffd75e/yellow/')"
bad_file "colour with a letter" 2 'colour is "#ffd75g"' "$header" "$(echo "$sun" | sed 's/#ffd75e/#ffd75g/')"
bad_file "name missing" 2 "name is missing" "$header" "$(echo "$sun" | sed 's/Sun//')"
bad_file "name with a dot" 2 "name has a dot, which parts the names of a path" "$header" "$(echo "$sun" | sed 's/Sun/S.un/')"
bad_file "name not UTF-8" 2 "name is not UTF-8" "$header" "$(printf '\377%s' "$sun")"
bad_file "name in other letters" 4 'the name "EARTH" is taken: it stands in line 3 too' "$header" "$sun" "$earth" \
    "$(echo "$earth" | sed 's/Earth/EARTH/')"
bad_file "long name" 2 "name is longer than 23 characters" "$header" "$(echo "$sun" | sed 's/Sun/A name of 24 characters!/')"
bad_file "unknown parent" 4 'unknown parent "Earht"' "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/,Earth,/,Earht,/')"
bad_file "its own parent" 4 'the parent "Moon" isn'"'"'t a planet' "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/,Earth,/,Moon,/')"
bad_file "moon of the Sun" 4 'the parent "Sun" isn'"'"'t a planet' "$header" "$sun" "$earth" "$(echo "$moon" | sed 's/,Earth,/,Sun,/')"
bad_file "planet of a planet" 4 'the parent "Earth" isn'"'"'t the Sun' "$header" "$sun" "$earth" "$(echo "$earth" | sed 's/Earth,Sun/Mars,Earth/')"
bad_file "name twice" 5 'the name "Earth" is taken: it stands in line 3 too' "$header" "$sun" "$earth" "$moon" "$earth"
bad_file "two Suns" 3 "Nemesis has no parent" "$header" "$sun" "$(echo "$sun" | sed 's/Sun/Nemesis/')"
bad_file "no Sun" 2 "the Sun is missing" "$header" "$earth"
bad_file "no body" 1 "the Sun is missing" "$header"
bad_file "orbit without parent" 2 "Earth has an orbit, but no parent" "$header" "$(echo "$earth" | sed 's/Earth,Sun/Earth,/')"
bad_file "parent without orbit" 3 "Vulcan has a parent, but no orbit" "$header" "$sun" "$(echo "$sun" | sed 's/Sun,/Vulcan,Sun/')"
bad_file "planet and moon" 3 "Earth fills columns of planets (a_au) and of moons (distance_km)" "$header" "$sun" "$(echo "$earth" | sed 's/,0,,,,,$/,0,384400,,,,/')"
bad_file "control character" 2 "name has a control character" "$header" "$(echo "$sun" | sed "s/Sun/$(printf 'S\001n')/")"
bad_file "no character" 2 "name has what is no character" "$header" "$(echo "$sun" | sed "s/Sun/$(printf 'S\357\277\276n')/")"
bad_file "long line" 2 "the line is longer than 1000 characters" "$header" "$(awk 'BEGIN { for (i = 0; i < 400; i++) printf "x,y," }')" "$sun"
bad_file "long comment" 1 "the line is longer than 1000 characters" "#$(awk 'BEGIN { for (i = 0; i < 1000; i++) printf "x" }')" "$header" "$sun"
printf '%s\n%s\nEa\000rth' "$header" "$sun" >"$dir/bad.csv"
expect "zero byte" 1 --data "$dir/bad.csv" && says "zero byte" "$err" "$dir/bad.csv:3: a zero byte"
printf '%s\r\n%s\r\nhello\r\n' "$header" "$sun" >"$dir/bad.csv"
expect "CRLF line numbers" 1 --data "$dir/bad.csv" && says "CRLF line numbers" "$err" "$dir/bad.csv:3: 1 fields"
printf '%s\n' "$header" "$sun" "$earth" | sed 's/-0.00004392/-0.5/' >"$dir/rates.csv"
expect "elements that end" 1 --data "$dir/rates.csv" --date 2040-01-01 && says "elements that end" "$err" "the elements of Earth make no ellipse"

if [ -c /dev/full ]; then
    tests=$((tests + 1))
    $runner "$program" --data "$data" >/dev/full 2>"$err"
    [ $? -eq 1 ] || fail "full disk" "not an error"
    expect "full disk for the picture" 1 --data "$data" --picture /dev/full && says "full disk for the picture" "$err" "/dev/full: cannot write"
fi
expect "picture into nowhere" 1 --data "$data" --picture "$dir/no/where.svg" && says "picture into nowhere" "$err" "$dir/no/where.svg: cannot write"

# --- positions to check with that are wrong

columns=date,body,about,lon_deg,lat_deg,distance_au,lon_arcsec,lat_arcsec,distance_1000km,source
row=2026-01-01,Earth,Sun,100.207914,-0.003303,0.98335093,20,8,6,VSOP87
bad_check() {
    name=$1 file=$2 text=$3
    shift 3
    printf '%s\n' "$@" >"$dir/check.csv"
    expect "$name" 1 --data "$data" --check "$dir/check.csv" && says "$name" "$file" "$text"
}
printf '%s\n' "$columns" "$row" >"$dir/check.csv"
expect "one position" 0 --data "$data" --check "$dir/check.csv"
bad_check "too far in longitude" "$out" "TOO FAR" "$columns" "$(echo "$row" | sed 's/100.2079/100.2150/')"
bad_check "too far in latitude" "$out" "TOO FAR" "$columns" "$(echo "$row" | sed 's/-0.003303/0.003303/')"
bad_check "too far in distance" "$out" "TOO FAR" "$columns" "$(echo "$row" | sed 's/0.98335/0.98340/')"
bad_check "check: unknown body" "$err" "$dir/check.csv:2: unknown body \"Vulcan\"" "$columns" "$(echo "$row" | sed 's/Earth/Vulcan/')"
bad_check "check: date" "$err" "$dir/check.csv:3: date is \"2026-02-30\"" "$columns" "$row" "$(echo "$row" | sed 's/01-01/02-30/')"
bad_check "check: number" "$err" "$dir/check.csv:2: lat_deg is \"x\"" "$columns" "$(echo "$row" | sed 's/-0.003303/x/')"
bad_check "check: limits" "$err" "$dir/check.csv:3: lat_arcsec is not that of the other rows" "$columns" "$row" "$(echo "$row" | sed 's/,8,/,9,/')"
bad_check "check: source" "$err" "$dir/check.csv:2: source is missing" "$columns" "${row%VSOP87}"
bad_check "check: column" "$err" "$dir/check.csv:1: the header lacks the column \"source\"" "${columns%,source}" "$row"
bad_check "check: nothing" "$err" "$dir/check.csv:1: no positions" "$columns"
expect "check: missing file" 1 --data "$data" --check "$dir/none.csv" && says "check: missing file" "$err" "$dir/none.csv: cannot open"

finish orrery
