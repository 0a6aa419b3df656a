#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "Whatever finds a race writes it into one store, and one report shows all of it:"
show deadheat report

say "Everything that is known about it, and the command that shows it again:"
id=$(deadheat report --fail-on none --format json | sed -n 's/^ *"id": "\(.*\)",/\1/p' | head -1)
show deadheat report show "$id"

say "The same for a browser, as one file without any request to elsewhere:"
show deadheat report --fail-on none --format html -o report.html
say "Open it: $PWD/report.html"
