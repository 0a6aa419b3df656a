# Two updatedb make their new database in the same place; each checks it, then renames it.
# fixed: a name of its own for each
# check: test -s db
# says: /db
echo /bin/ls > db
updatedb() {
	tmp=db.n
	[ -z "$FIXED" ] || tmp=db.n.$1
	echo /bin/cat > $tmp
	if [ -s $tmp ]; then mv $tmp db; fi
}
updatedb 1 &
(sleep 0.15; updatedb 2) &
wait %1 || r=1
wait %2 || r=1
exit ${r:-0}
