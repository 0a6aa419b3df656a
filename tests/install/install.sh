#!/bin/sh
# usage: install.sh BUILD-FOLDER: everything that belongs to an installation gets there, and works
# from there.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
DESTDIR=$scratch meson install -C "$1" --no-rebuild --quiet
cd "$scratch"

one() { # one NAME: the path of the only file of that name
	find . -name "$1" ! -type d | sed 's/^\.//' | grep . || {
		echo "$1 is not installed"
		exit 1
	}
}

deadheat=$(one deadheat | grep '/bin/')
"$scratch$deadheat" --version
for command in $("$scratch$deadheat" --help | sed -n 's/^  \([a-z][a-z0-9+-]*\)  *[^ ].*/\1/p'); do
	one "deadheat-$command.1" >/dev/null
done
one deadheat.1
one deadheat.h
one deadheat | grep '/bash-completion/'

pc=$(one deadheat.pc)
export PKG_CONFIG_PATH="$scratch${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$scratch"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
printf '#include <deadheat.h>\nint main(void) { DEADHEAT_FAIL("x"); return 0; }\n' >x.c
# shellcheck disable=SC2046 # a list of words
gcc $(pkg-config --cflags deadheat) x.c -o x
./x
[ "$(pkg-config --modversion deadheat)" = "$("$scratch$deadheat" --version | sed 's/.* //')" ]
