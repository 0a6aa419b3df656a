#!/bin/sh
# Every shell script passes shellcheck.
cd "$(dirname "$0")/../.." || exit 1
command -v shellcheck >/dev/null || {
	echo "skipped: shellcheck is not installed (./dev deps)"
	exit 77
}
scripts=$(find .ci dev tests examples bench completion -type f ! -name '*.py' \
	-exec grep -lE '^#!/(bin/(ba)?sh|usr/bin/env (ba)?sh)' {} +)
# shellcheck disable=SC2086 # a list of words
shellcheck -x -P SCRIPTDIR $scripts
