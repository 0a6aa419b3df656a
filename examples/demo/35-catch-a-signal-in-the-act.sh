#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "A race needs no second thread.  examples/signal_update.c counts parcels and adds up their" \
	"weight; a timer's handler checks that the two sums agree.  A tick that strikes between" \
	"the two finds a parcel without its weight.  That takes luck; most runs end well:"
run_shown sh -c 'for i in 1 2 3; do signal_update; done'

say "So we record it until it happens.  For each signal the recording says at which instruction" \
	"it struck, by the state of the program there; no performance counter is needed."
try=1
while [ "$try" -le 100 ]; do
	rm -rf caught
	status=0
	deadheat -q record -o caught -- signal_update >.recorded 2>&1 || status=$?
	[ "$status" -eq 0 ] || break
	try=$((try + 1))
done
[ "$status" -eq 134 ] || {
	cat .recorded
	say "100 recordings did not catch it (the last one ended with status $status)."
	exit 1
}
say "Recording $try has it.  This is what the program said while it was recorded:"
show cat .recorded

say "In each replay the same ticks strike at the same instructions, so it is the same parcel:"
for _ in 1 2 3; do
	show_status 134 deadheat -q replay caught
	cmp -s .shown .recorded || {
		echo "(that differs from what was recorded)"
		exit 1
	}
done

say "The end of the log shows the last ticks: what was done and written, in the order of events."
show sh -c 'deadheat replay --dump caught | tail -8 | cut -c 1-76'

say "The fixed twin, signal_update_fixed.c, never fails, recorded or not:"
show sh -c 'for i in 1 2 3; do deadheat -q record -- signal_update_fixed; done'
