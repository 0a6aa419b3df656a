# A starter looks whether the pid file is there, then writes it: two daemons run.
# fixed: created exclusively (noclobber)
# check: test $(cat started | wc -l) = 1
# says: creates \S*/daemon.pid, .*looks at it
: > started
start() {
	if [ -n "$FIXED" ]; then
		(set -C; echo $1 > daemon.pid) 2> /dev/null || return 0
	else
		[ -e daemon.pid ] && return 0
		echo $1 > daemon.pid
	fi
	echo $1 >> started
}
start 1 &
(sleep 0.15; start 2) &
wait
