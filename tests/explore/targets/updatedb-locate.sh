# updatedb removes the old database before it renames the new one, so locate finds nothing (findutils 4.4.2).
# fixed: rename alone
# says: (?s)renames \S*/db, .grep .*opens it.*do not remove the old file first
echo /bin/ls > db
locate() {
	grep -q "$1" db || { echo "locate: $1: not found"; return 1; }
}
updatedb() {
	{ echo /bin/cat; echo /bin/ls; } > db.n
	[ -n "$FIXED" ] || rm -f db
	mv db.n db
}
updatedb &
(sleep 0.15; locate ls)
r=$?
wait
exit $r
