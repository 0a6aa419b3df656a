#!/bin/sh
# What recording for explore costs, beside strace -f; RUNS=N sets the number of runs.
set -eu
[ $# -gt 0 ] || set -- 'make -j2' '300 forks' git python sqlite
exec python3 "$(dirname "$0")/record/run" --calls "$@"
