# A flag that is set before the data is there; seen in time, it sends the reader into a second race.
# fixed: the data first, then the flag
# options: --recursive 2
maker() {
	sleep 0.1
	if [ -n "$FIXED" ]; then
		echo x > data
		: > flag
	else
		: > flag
		echo x > data
	fi
	sleep 0.3
}
maker &
if [ -e flag ]; then
	(sleep 0.2; cat data) || exit 1
fi
wait
