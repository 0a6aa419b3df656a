# Two shells end: each reads the history, adds its line, and writes all of it back (launchpad-10809).
# fixed: under a lock
# needs: bash
# check: grep -q first history && grep -q second history
# says: renames \S*/history, .*second. opens it
echo zero > history
cat > shell.sh <<'END'
HISTFILE=history
set -o history
history -r
history -s "$1"
history -w
END
shell() {
	if [ -n "$FIXED" ]; then
		flock lock bash shell.sh "$1"
	else
		bash shell.sh "$1"
	fi
}
shell first &
(sleep 0.3; shell second) &
wait
