# A directory is made when it is not there yet, by two at a time.
# fixed: mkdir -p
# says: makes the directory \S*/cache, .*looks at it
job() {
	if [ -n "$FIXED" ]; then
		mkdir -p cache
	else
		[ -d cache ] || mkdir cache
	fi
	echo $1 > cache/$1
}
job 1 &
one=$!
(sleep 0.15; job 2)
r=$?
wait $one || r=1
exit $r
