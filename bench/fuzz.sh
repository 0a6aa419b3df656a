#!/bin/sh
# deadheat fuzz: what predicting costs beside ThreadSanitizer, what confirming costs beside the plain
# program, and how many schedules there are to a second.
set -eu
exec python3 "$(dirname "$0")/fuzz.py" "$BUILD" "$(dirname "$0")"
