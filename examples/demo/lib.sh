# For the chapters of the tour: . "$(dirname "$0")/lib.sh"
# shellcheck shell=sh
set -eu

# say WORDS...: a paragraph.
say() {
	printf '\n%s\n' "$*" | fold -s -w 78
}

# show COMMAND...: prints the command as a person would type it, runs it, shows its output
# indented, and leaves its exit status in $status.  Findings (1) are what a tour hopes for; from 2
# up the chapter ends with that status.
show() {
	printf '\n  $ %s\n\n' "$(echo "$*" |
		sed "s|$DEADHEAT|deadheat|g; s|$DEMO/||g; s|$EXAMPLES/|examples/|g")"
	status=0
	"$@" >"$DEMO/.shown" 2>&1 || status=$?
	sed 's/^/    /' "$DEMO/.shown"
	[ "$status" -lt 2 ] || exit "$status"
}
