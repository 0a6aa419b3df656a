# A lock that is tested and then taken, around something that must not happen twice.
# fixed: mkdir, which tests and takes at once
# check: test ! -e overlap
# options: --races 8
# says: creates \S*/lock, .*looks at it
work() {
	[ ! -e busy ] || : > overlap
	: > busy
	rm busy
}
job() {
	if [ -n "$FIXED" ]; then
		mkdir lock 2> /dev/null || return 0
		work
		rmdir lock
	else
		[ -e lock ] && return 0
		: > lock
		work
		rm -f lock
	fi
}
job &
(sleep 0.15; job) &
wait
