#!/bin/sh
# What writing and reading a recording costs.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$BUILD/bench/bench_trace" "$dir"
