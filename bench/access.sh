#!/bin/sh
# What an instrumented access costs in ns, beside the same program under gcc's own runtime.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
runtime=$BUILD/runtime/sched
gcc -O2 -g -pthread bench/access.c -o "$dir/plain"
gcc -O2 -g -fsanitize=thread bench/access.c -o "$dir/built"
"$dir/plain" 2>"$dir/1"
"$dir/built" 2>"$dir/2"
export LD_LIBRARY_PATH="$runtime/stand-in"
"$dir/built" 2>"$dir/3"
n=4
for detect in 61 125 32; do # first and second run of a prediction, a confirming run
	"$BUILD/tests/sched/drive" --runtime "$runtime/libdeadheat-sched.so" --strategy random \
		--detect "$detect" --wall 100 -- "$dir/built" 2>"$dir/$n" >/dev/null
	n=$((n + 1))
done
printf '%-32s %8s %8s %8s %8s %8s %8s %8s\n' "" native TSan outside predict again confirm predict/TSan
paste "$dir/1" "$dir/2" "$dir/3" "$dir/4" "$dir/5" "$dir/6" |
	awk -F'\t' '{ printf "%-32s %8s %8s %8s %8s %8s %8s %8.2f\n", $1, $2, $4, $6, $8, $10, $12, $8 / $4 }'
