#!/bin/sh
# Recording and replaying against native and strace; RUNS=N sets the number of runs.
set -eu
exec python3 "$(dirname "$0")/record/run" "$@"
