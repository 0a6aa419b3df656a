#!/bin/sh
# All targets of tests/explore as tables: what was found in each, and what it took.
set -eu
exec python3 "$(dirname "$0")/explore.py" "$@"
