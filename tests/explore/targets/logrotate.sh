# The new log is created, then made writable; a daemon that opens it in between cannot write (debian-399930).
# fixed: created elsewhere with its mode, then renamed
# says: /log, .stat -c %a log. looks at it
# mend: create .*/log with the permissions that it is to have|never missing
echo old > log
chmod 666 log
rotate() {
	if [ -n "$FIXED" ]; then
		(umask 0; : > log.new)
		chmod 666 log.new
		mv log.new log
	else
		mv log log.1
		(umask 0377; : > log)
		chmod 666 log
	fi
}
rotate &
daemon() {
	sleep 0.2
	if [ "$(stat -c %a log)" != 666 ]; then
		echo "cannot write to the log" >&2
		return 1
	fi
	echo message >> log
}
(daemon)
r=$?
wait
exit $r
