#!/bin/sh
# usage: again.sh DEADHEAT TARGETS
# What was found is shown again by its id: a race behind another one, and one whose recorded order is
# the one that breaks, one that only a check beside the program notices.  And a recording of any kind
# is explored.
set -eu
deadheat=$(realpath "$1")
targets=$(realpath "$2")
scratch=$(mktemp -d /var/tmp/deadheat-again-XXXXXX)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# again SCRIPT OPTION...: the id of the first harmful race into $id
again() {
	script=$1
	shift
	cp "$targets/$script" .
	status=0
	timeout -s KILL 120 "$deadheat" explore --undisturbed 2 "$@" --format json -o found.json -- \
		sh "$script" 2> err < /dev/null || status=$?
	if [ $status -eq 3 ] && grep -q sandbox err; then
		cat err
		exit 77
	fi
	[ $status -eq 1 ] || { cat err; echo "$script: status $status"; exit 1; }
	id=$(sed -n 's/.*"id": *"\([0-9a-f]*\)".*/\1/p' found.json | head -n 1)
	status=0
	timeout -s KILL 120 "$deadheat" explore --undisturbed 2 --replay "$id" > out 2> err < /dev/null ||
		status=$?
	grep -q '^harmful: ' out || status=0
	[ $status -eq 1 ] || { cat out err; echo "$script: replay"; exit 1; }
}

again two-flips.sh --recursive 2
grep -q 'only after another race was turned around' found.json
again two-copies.sh --recursive 2
grep -q 'only after another race was turned around' found.json
again fails-always.sh
grep -q 'the recorded order is the one that fails' found.json
dir=$(sed -n 's/.*deadheat replay --gdb.* //p' err)
timeout -s KILL 60 "$deadheat" replay "$dir" 2>&1 | grep -q 'No such file'

# A recording that was not made for it is made again.
timeout -s KILL 60 "$deadheat" record -o plain -- sh fails-always.sh > out 2>&1 < /dev/null || :
rm -f result
timeout -s KILL 120 "$deadheat" explore --undisturbed 2 plain > out 2> err < /dev/null || status=$?
[ $status -eq 1 ] || { cat err; echo "plain: status $status"; exit 1; }
grep -q 'plain was made without --calls' err
grep -q 'the recorded order is the one that fails' out
[ ! -e result ]

# A check beside the program may have several lines, go on for ever and not care for SIGTERM.
during='trap "" TERM
while [ ! -e page ] || [ -s page ]; do sleep 0.02; done
echo "empty now"
exit 3'
again empty-page.sh --races 4 --check-during "$during"
grep -q 'the check during the run ended with status 3: empty now' out
# What is decided with it is not what is decided without.
timeout -s KILL 60 "$deadheat" explore --list -- sh empty-page.sh > out 2> err < /dev/null || :
for how in '0 without' '1 with'; do
	set -- --undisturbed 1 --races 4
	[ "$how" = '0 without' ] || set -- "$@" --check-during "$during"
	status=0
	timeout -s KILL 120 "$deadheat" explore "$@" .deadheat/recordings/latest > out 2> err < /dev/null ||
		status=$?
	[ $status -eq "${how%% *}" ] || { cat out err; echo "$how the check: status $status"; exit 1; }
done
if grep 'decided before' err; then exit 1; fi

# gdb meets the process that failed, with the program that was made inside.
if command -v gdb > /dev/null && command -v cc > /dev/null; then
	cat > prog.c << 'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	if (!fopen("conf", "r"))
		abort();
	return 0;
}
END
	cat > make-and-run.sh << 'END'
cc -g -o prog prog.c
(sleep 0.01; : > conf) &
(sleep 0.3; exec ./prog) || exit 1
wait
END
	targets=$scratch/copy
	mkdir "$targets"
	mv make-and-run.sh "$targets"
	again make-and-run.sh --races 3
	timeout -s KILL 120 "$deadheat" explore --undisturbed 2 --replay "$id" --gdb -- -batch -ex 'break abort' \
		-ex continue -ex backtrace > out 2> err < /dev/null || :
	grep -q 'main () at prog.c:6' out || { cat out err; echo "gdb"; exit 1; }
	[ ! -e prog ]
fi
echo "shown again"
