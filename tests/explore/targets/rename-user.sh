# silent: a writer that renames and a reader that opens once
echo old > data
writer() { echo new > data.new; mv data.new data; }
writer &
(sleep 0.15; cat data > /dev/null)
r=$?
wait
exit $r
