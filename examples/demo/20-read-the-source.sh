#!/bin/sh
. "$(dirname "$0")/lib.sh"
cp "$EXAMPLES/session_table.c" "$EXAMPLES/session_table_fixed.c" .
say "examples/session_table.c is a small server's table of sessions.  It passes its tests; scan only" \
	"reads it, and finds what no test run is likely to meet: a deadlock, a race, a lock that is" \
	"not given back on an error path."
show_status 1 deadheat scan session_table.c -- -pthread

say "The fixed twin takes the lock everywhere, gives it back on every path, and keeps to one order:"
show_status 0 deadheat scan session_table_fixed.c -- -pthread

say "A whole project is scanned with 'deadheat scan -p build' or 'deadheat scan -- make'."
