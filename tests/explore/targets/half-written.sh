# A record is written in two parts; a reader in between gets half of it.
# fixed: written in one piece
# check: ! grep -qx 'name=anna' seen
# says: writes to \S*/record, .dd .*reads it
: > record
save() {
	if [ -n "$FIXED" ]; then
		printf 'name=anna\nage=30\n' >> record
	else
		{ echo name=anna; echo age=30; } >> record
	fi
}
save &
(sleep 0.15; dd if=record count=1 2> /dev/null | tr '\n' ' ' | sed 's/ $//' > seen)
wait
