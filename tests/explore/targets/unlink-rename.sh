# The database is removed before the new one is renamed to its place, and somebody looks in between.
# fixed: rename alone, which replaces
# says: (?s)renames \S*/db, .cat db. opens it.*do not remove the old file first
# mend: renaming the new one over .*/db
# line: ^second: line \d+ of unlink-rename.sh: .*cat db
echo old > db
update() {
	echo new > db.new
	[ -n "$FIXED" ] || rm -f db
	mv db.new db
}
update &
(sleep 0.1; cat db)
r=$?
wait
exit $r
