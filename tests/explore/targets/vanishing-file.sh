# A job goes through a directory from which another one removes files: what was listed is gone when it is opened.
# fixed: missing files are no error
# says: opens \S*/spool/2, .rm spool/2. removes it
mkdir spool
echo 1 > spool/1
echo 2 > spool/2
deliver() {
	for f in spool/*; do
		if [ -n "$FIXED" ]; then cat "$f" 2> /dev/null || :; else cat "$f" || return 1; fi
	done > delivered
}
deliver &
one=$!
(sleep 0.2; rm spool/2)
wait $one
