# Two readers share a pipe; each is meant to get the line that is for it.
# fixed: a pipe for each
# check: test "$(cat out.1)" = first && test "$(cat out.2)" = second
# says: (reads \S*/p1, .*reads it|writes to \S*/p1, .*writes to it)
mkfifo p1 p2
if [ -n "$FIXED" ]; then second=p2; else second=p1; fi
reader() {
	read -r line < $2
	echo "$line" > out.$1
}
reader 1 p1 &
(sleep 0.3; reader 2 $second) &
(sleep 0.15; echo first > p1) &
(sleep 0.6; echo second > $second) &
wait
