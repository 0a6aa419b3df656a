# A log is truncated while somebody follows it: what was written and not yet read is never seen.
# fixed: renamed; the reader keeps the old file
# check: grep -q one seen
# says: .cat. copies from \S*/log, .*empties it
echo one > log
exec 3< log
cat <&3 > seen &
(sleep 0.2; if [ -n "$FIXED" ]; then mv log log.1; else : > log; fi) &
wait
