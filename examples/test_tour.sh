#!/bin/sh
# Tests the tour: that it says what is written down in tour/tour.txt. Usage: test_tour.sh TOUR. The exit status is 0 if nothing failed.
# TOUR_RUNNER may hold a command to run the program under.
[ $# -eq 1 ] || { echo "usage: $0 TOUR" >&2; exit 2; }
program=$1
runner=${TOUR_RUNNER:-}
. "$(dirname "$0")/expect.sh"

expect tour 0
silent tour
same "what it says" "$(dirname "$0")/tour/tour.txt" "$out"
[ $failures -eq 0 ] || diff "$(dirname "$0")/tour/tour.txt" "$out"

finish tour
