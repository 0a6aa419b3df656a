# The reader comes too early every time: the recorded order is the one that breaks.
# fixed: the reader waits, and fails for another reason, which no order mends
# fails: always
# mend: 'wait PID' in a shell
if [ -n "$FIXED" ]; then
	(sleep 0.1; [ -e result ]) &
	echo new > result
	wait
	grep -q old result || exit 1
	exit 0
fi
(sleep 0.2; echo new > result) &
(cat result) || exit 1
wait
