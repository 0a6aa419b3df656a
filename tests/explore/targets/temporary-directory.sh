# A result in a directory that the date and chance have named, read before it is there.
# fixed: the reader waits
# mend: 'wait PID' in a shell
d=$(mktemp -d "/tmp/job.$(date +%s%N).XXXXXX")
(sleep 0.01; echo done > "$d/result") &
if [ -n "$FIXED" ]; then wait; fi
(sleep 0.2; cat "$d/result") || exit 1
wait
