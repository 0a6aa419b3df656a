#!/bin/sh
# usage: header.sh SOURCE-FOLDER: deadheat.h compiles everywhere without a warning, does nothing
# when no runtime is loaded, and reaches one that is.
# shellcheck disable=SC2086 # flags and compilers are lists of words
set -eu
here=$1/tests/install include=$1/include
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
flags="-Wall -Wextra -Wpedantic -Werror -I$include"

cat >expected <<'END'
before 1 1
after 1 1
benign 4 statistics 1
benign 2 half of it 1
ignore
look again
fail counted 1
runtime: test
END
gcc $flags -shared -fPIC "$here/runtime.c" -o libruntime.so

# try COMPILER [FLAG]...
try() {
	echo "$*"
	"$@" $flags "$here/annotated.c" -o annotated
	[ "$(./annotated)" = "runtime: none" ]
	LD_PRELOAD=$scratch/libruntime.so ./annotated >got
	diff expected got
	"$@" $flags -DDEADHEAT_DISABLE "$here/annotated.c" -o annotated
	LD_PRELOAD=$scratch/libruntime.so ./annotated >got
	[ "$(cat got)" = "runtime: none" ]
}

tried=0
for pie in -pie "-no-pie -fno-pie"; do
	for cc in "gcc -std=c99" "gcc -std=gnu17 -O2" "clang -std=c11" "g++ -xc++ -std=c++98" \
		"clang++ -xc++ -std=c++17"; do
		command -v "${cc%% *}" >/dev/null || continue
		try $cc $pie
		tried=$((tried + 1))
	done
done
[ "$tried" -gt 0 ]
echo "$tried ways"
