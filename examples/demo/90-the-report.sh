#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "Whatever finds a race writes it into one store, and one report shows all of it.  The engines" \
	"that find races by themselves are still to come, so this one finding was written by hand," \
	"about the failure that we recorded:"
cp "$EXAMPLES/lost_update.c" "$EXAMPLES/demo/findings.json" .
show deadheat report --import findings.json
show deadheat report

say "Everything that is known about it, and the command that shows it again:"
id=$(deadheat report --fail-on none --format json | sed -n 's/^ *"id": "\(.*\)",/\1/p')
show deadheat report show "$id"

say "The same for a browser, as one file without any request to elsewhere:"
show deadheat report --fail-on none --format html -o report.html
say "Open it: $PWD/report.html"
