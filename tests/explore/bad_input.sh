#!/bin/sh
# usage: bad_input.sh DEADHEAT
# shellcheck disable=SC2016 # for the shells inside
# What cannot be explored, or only in part, is said clearly, and nothing is left behind.
set -u
deadheat=$(realpath "$1")
scratch=$(mktemp -d /var/tmp/deadheat-bad-XXXXXX)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export TMPDIR="$scratch"
bad=0

# expect STATUSES WORDS COMMAND...: how it must end, and what it must say (grep -E).
expect() {
	statuses=$1 words=$2
	shift 2
	timeout -s KILL 200 "$@" > out 2>&1 < /dev/null
	status=$?
	case " $statuses " in
	*" $status "*) grep -Eq "$words" out && return ;;
	esac
	echo "FAILED: status $status, expected $statuses and '$words': $*"
	cat out
	bad=1
}

"$deadheat" explore -- true > out 2>&1
if [ $? -eq 3 ] && grep -q sandbox out; then
	cat out
	exit 77
fi
expect 3 'no such program' "$deadheat" explore -- /nonexistent/program
expect 3 'a directory, but no recording' "$deadheat" explore "$scratch"
expect 3 'it is a directory' "$deadheat" explore -- "$scratch" argument
echo 'true' > a-script-here
expect 3 "file here is './a-script-here'" "$deadheat" explore -- a-script-here
expect 3 'the file is not executable' "$deadheat" explore -- ./a-script-here
expect '0 1' 'not over after' "$deadheat" explore --timeout 1 -- sleep 1000

# No network but loopback: the program fails, undisturbed as well, and no race is blamed.
echo 'import socket; socket.create_connection(("192.0.2.1", 80), 3)' > connect.py
expect 0 'the program failed' "$deadheat" explore -- /usr/bin/python3 -S connect.py
expect 0 'no network but loopback' "$deadheat" explore -- /usr/bin/python3 -S connect.py
expect 0 'script -qec' "$deadheat" explore -- sh -c "echo not a tty >&2; exit 1"
# Devices of the machine are not there.
expect '0 1' 'exit status 1' "$deadheat" explore -- /bin/sh -c 'test -e /dev/mem || test -e /dev/sda || exit 1'

# Set-user-id programs do not gain anything.
cp /usr/bin/id "$scratch/setid" && chmod 4755 "$scratch/setid" && chmod 755 "$scratch"
expect '0 1' 'exit status 0' "$deadheat" explore -- /bin/sh -c \
	'if [ "$(id -u)" != 0 ]; then test "$(./setid -u)" != 0; fi'

# What the recorder has to say comes out of the sandbox, once for all executions.
expect '0 1' 'warning: system call 4000 is not known' "$deadheat" explore --undisturbed 2 -- /usr/bin/perl -e \
	'fork; syscall(4000); open F, ">x"; wait'
if [ "$(grep -c 'system call 4000' out)" != 1 ] || ! grep -q '[1-9][0-9]* benign' out; then
	echo "FAILED: a warning of each execution"
	cat out
	bad=1
fi

# Many processes.
expect '0 1' '^deadheat: 5[0-9][0-9][0-9] processes' "$deadheat" explore --list --limit 1 -- /bin/sh -c \
	'i=0; while [ $i -lt 5000 ]; do (:) & i=$((i + 1)); done; wait'

# Nowhere to keep the recording; nowhere to build the sandbox.
mkdir locked
if [ "$(id -u)" = 0 ]; then
	chmod 555 locked
	cd locked || exit 1
	expect 3 'Permission denied' setpriv --reuid 65534 --clear-groups "$deadheat" explore -- true > ../said
	cd ..
	grep FAILED said && bad=1
fi

if unshare -Urm mount -t tmpfs -o size=24k tmpfs locked 2> /dev/null; then
	expect 3 '.deadheat/recordings/true-1.*No space left' unshare -Urm sh -c \
		"mount -t tmpfs -o size=24k tmpfs locked; cd locked; exec '$deadheat' explore -- true"
fi

# Interrupted while it records: nothing is left of it.
mkdir stopped
cd stopped || exit 1
mark=$((50000 + $$ % 9999))
"$deadheat" explore -- /bin/sh -c "exec sleep $mark" > ../out 2>&1 < /dev/null &
tool=$!
n=0
until pgrep -f "^sleep $mark" > /dev/null || [ $n -ge 200 ]; do
	sleep 0.1
	n=$((n + 1))
done
kill -TERM $tool
wait $tool
status=$?
cd ..
if [ $status -ne 3 ] || ! grep -q 'interrupted while it was recorded' out ||
	[ "$(find stopped/.deadheat/recordings | wc -l)" -ne 1 ]; then
	echo "FAILED: interrupted, status $status"
	cat out
	bad=1
fi

# No namespaces: within one of one's own the limits can be lowered.
if unshare -Urm true 2> /dev/null; then
	expect 3 'no namespaces for a sandbox here.*doctor' unshare -Urm sh -c \
		"echo 0 > /proc/sys/user/max_mnt_namespaces; exec '$deadheat' explore -- true"
fi

# Killed: no process, no mount and no directory stays.
mark=$((40000 + $$ % 9999))
"$deadheat" explore -- /bin/sh -c "echo up; exec sleep $mark" > out 2>&1 &
tool=$!
n=0
until pgrep -f "^sleep $mark" > /dev/null || [ $n -ge 200 ]; do
	sleep 0.1
	n=$((n + 1))
done
kill -9 $tool
wait $tool 2> /dev/null
n=0
while pgrep -f "^sleep $mark" > /dev/null && [ $n -lt 200 ]; do
	sleep 0.1
	n=$((n + 1))
done
if pgrep -f "^sleep $mark"; then
	echo "FAILED: a process outlives the tool"
	bad=1
fi
if grep "$scratch" /proc/mounts; then
	echo "FAILED: a mount outlives the tool"
	bad=1
fi
"$deadheat" explore -- true > out 2>&1
if find "$scratch" -name 'deadheat-sandbox-*' | grep .; then
	echo "FAILED: a directory outlives the tool and the next run"
	bad=1
fi
[ $bad = 0 ] && echo "all said clearly, nothing left"
exit $bad
