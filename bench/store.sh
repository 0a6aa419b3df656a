#!/bin/sh
# One million findings: inserted, inserted again, listed.  One process, one core.
set -eu
folder=$(mktemp -d "${TMPDIR:-/tmp}/deadheat-bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 3' HUP INT TERM
taskset -c 0 "$BUILD/bench/bench_store" "$folder" "${FINDINGS:-1000000}"
start=$(date +%s%N)
"$DEADHEAT" -q report --db "$folder/findings.db" --limit 50 --fail-on none >"$folder/list"
end=$(date +%s%N)
printf '%-12s the command itself: %d ms\n' 'report' $(((end - start) / 1000000))
