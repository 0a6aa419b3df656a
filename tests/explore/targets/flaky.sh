# Which of two comes first is chance: about half of all runs fail by themselves.
# fixed: the reader copes; how it ends is still chance, but nobody's race
# fails: every other time
# options: --undisturbed 8
chance() { [ $(($(od -An -N1 -tu1 /dev/urandom) % 2)) = 0 ]; }
(if chance; then sleep 0.2; fi; echo new > result) &
if [ -n "$FIXED" ]; then
	(sleep 0.1; [ -e result ])
	wait
	if chance; then exit 1; fi
	exit 0
fi
(sleep 0.1; cat result) || exit 1
wait
