# A secret is written, then hidden: somebody reads it in between.
# fixed: created with its mode
# check: ! test -s stolen
# says: changes the permissions of \S*/key, .*stat
umask 022
write() {
	[ -z "$FIXED" ] || umask 077
	echo secret > key
	chmod 600 key
}
thief() {
	case $(stat -c %a key 2> /dev/null) in
	*[4-7]) cp key stolen ;;
	esac
}
write &
(sleep 0.15; thief)
wait
