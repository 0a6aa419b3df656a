#!/bin/sh
# The everyday tools in pipelines: find, grep, sed, awk, sort, xargs, cut, tr, diff.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs awk find xargs
	mkdir tree
	for i in 1 2 3 4 5 6 7 8 9; do
		seq "$i" 300 >"tree/file$i"
	done
	;;
main)
	find tree -type f -printf '%i %T@ %p\n' | sort -n
	find tree -type f -print0 | xargs -0 -n 2 -P 3 wc -l | sort
	awk '{ s += $1 } END { srand(); print s, int(rand() * 1000), systime() }' tree/*
	sed -n 's/^1\(.\)$/\1-\1/p' tree/file1 | tr '0-9' 'a-j' | cut -c1,3 | sort -u | head -4
	grep -c 7 tree/*
	diff tree/file1 tree/file2 || true
	ls -la --time-style=full-iso tree
	;;
check) grep -q '300 tree/file1' stdout ;;
esac
