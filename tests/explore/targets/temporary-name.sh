# Two jobs sort into a temporary file of the same name.
# fixed: mktemp
# check: test "$(cat out.1)" = 1 && test "$(cat out.2)" = 2
job() {
	if [ -n "$FIXED" ]; then tmp=tmp.$1; else tmp=tmp; fi
	echo $1 > $tmp
	cat $tmp > out.$1
}
job 1 &
(sleep 0.15; job 2) &
wait
