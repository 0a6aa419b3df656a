# Two editors change different settings of one file.
# fixed: under a lock
# check: grep -q 'a=2' conf && grep -q 'b=2' conf
# says: renames \S*/conf, .*opens it
printf 'a=1\nb=1\n' > conf
edit() {
	if [ -n "$FIXED" ]; then
		flock lock sed -i "$1" conf
	else
		sed -i "$1" conf
	fi
}
edit s/a=1/a=2/ &
(sleep 0.15; edit s/b=1/b=2/) &
wait
