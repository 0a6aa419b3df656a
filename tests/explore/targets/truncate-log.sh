# A log is copied and truncated: what is written between the two is lost.
# fixed: renamed, and written to by name
# check: test $(cat log log.1 2> /dev/null | wc -l) = 2
# says: empties \S*/log, .*writes to it
echo one > log
rotate() {
	if [ -n "$FIXED" ]; then
		mv log log.1
	else
		cp log log.1
		: > log
	fi
}
rotate &
(sleep 0.15; echo two >> log)
wait
