# One service makes the directory that another needs, and nobody waits (launchpad-596064).
# fixed: the second starts when the first says so
# says: makes the directory \S*/run, .*opens it
smbd() {
	mkdir -p run
	echo ready > run/ready
	[ -z "$FIXED" ] || echo go > gate
}
nmbd() {
	echo pid > run/nmbd.pid
}
[ -z "$FIXED" ] || mkfifo gate
smbd &
(
	if [ -n "$FIXED" ]; then read -r word < gate; else sleep 0.15; fi
	nmbd
)
r=$?
wait
exit $r
