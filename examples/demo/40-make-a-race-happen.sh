#!/bin/sh
. "$(dirname "$0")/lib.sh"
cp "$EXAMPLES/lost_update.c" "$EXAMPLES/lost_update_fixed.c" .
say "The same program again: two clerks, one account, no lock.  This time we do not wait for luck." \
	"deadheat cc is the compiler, with the scheduler of deadheat linked in:"
show_status 0 deadheat cc -O1 lost_update.c -o clerks -pthread

say "deadheat fuzz predicts from a few runs what could go wrong between the threads, then schedules" \
	"them so that it does.  It shows both sides, the order that fails with no more switches than" \
	"it takes, and how often it could be made to happen:"
show_status 1 deadheat fuzz -- ./clerks

say "The schedule is stored with the finding, and runs again:"
id=$(deadheat report --level harmful --fail-on none --format json | sed -n 's/^ *"id": "\(.*\)",/\1/p' | head -1)
show_status 1 deadheat fuzz --replay "$id"

say "With the lock there is nothing to find:"
show_status 0 sh -c 'deadheat cc -O1 lost_update_fixed.c -o fixed -pthread && deadheat fuzz -- ./fixed'
