#!/bin/sh
# What deadheat scan costs: extraction beside `clang -fsyntax-only` over the same files, a second
# run, a run after one change, and how the analysis grows with the size of the program.
# SCAN_DB="one/compile_commands.json two/..." names the builds to measure (default: this project's
# own); SCAN_OPTIONS="--profile linux" goes to scan; JOBS=N is for both sides; SCAN_ROUNDS=N
# repeats the comparison and takes the best of each; SCAN_GROWTH=1 analyses parts, too.
set -eu
# shellcheck disable=SC2086 # several databases
exec python3 "$(dirname "$0")/scan.py" "$DEADHEAT" ${SCAN_DB:-$BUILD/compile_commands.json}
