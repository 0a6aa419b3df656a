# For the chapters of the tour: . "$(dirname "$0")/lib.sh"
# shellcheck shell=sh
set -eu

# say WORDS...: a paragraph.
say() {
	printf '\n%s\n' "$*" | fold -s -w 78
}

# run_shown COMMAND...: prints the command (of sh -c SCRIPT only the script), runs it, shows its
# output indented, and leaves its exit status in $status.
run_shown() {
	line=$*
	[ "$1" != sh ] || line=$3
	printf '\n  $ %s\n\n' "$line"
	status=0
	"$@" >.shown 2>&1 || status=$?
	sed 's/^/    /' .shown
}

# show COMMAND...: findings (1) are what a tour hopes for; from 2 up the chapter ends with 1.
show() {
	run_shown "$@"
	[ "$status" -lt 2 ] || exit 1
}

# show_status N COMMAND...: the chapter ends with 1 unless the command ends with N.
show_status() {
	expected=$1
	shift
	run_shown "$@"
	[ "$status" -eq "$expected" ] || {
		echo "(status $status, not $expected)"
		exit 1
	}
}
