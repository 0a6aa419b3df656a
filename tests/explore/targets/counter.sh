# Two jobs read a counter, add one, and write it back.
# fixed: under a lock
# options: --expect-same counter
# check: test "$(cat counter)" = 2
# says: writes to \S*/counter, .cat counter. reads it
# mend: flock.*from reading .*/counter until it is rewritten
echo 0 > counter
bump() {
	n=$(cat counter)
	echo $((n + 1)) > counter
}
job() {
	if [ -n "$FIXED" ]; then
		(flock 9; bump) 9> lock
	else
		bump
	fi
}
job &
(sleep 0.1; job) &
wait
