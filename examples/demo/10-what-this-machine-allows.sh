#!/bin/sh
. "$(dirname "$0")/lib.sh"
say "Deadheat leans on the kernel and on your compilers.  doctor tries each thing that it may" \
	"need, and says what is missing, whom that touches, and how to mend it."
run_shown deadheat doctor
