# A state file is written in place: a reader finds it empty.
# fixed: written beside it, then renamed
# check: test "$(cat seen)" != ""
echo running > state
save() {
	if [ -n "$FIXED" ]; then
		echo stopped > state.new
		mv state.new state
	else
		cat > state <<END
stopped
END
	fi
}
save &
(sleep 0.15; cat state > seen)
wait
