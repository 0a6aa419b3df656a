#!/bin/sh
# Every C file is as clang-format would have it; ./dev format mends it.
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || {
	echo "skipped: clang-format is not installed (./dev deps)"
	exit 77
}
find src runtime include tests examples bench -name '*.[ch]' ! -path '*/corpus/*' \
	-exec clang-format --dry-run -Werror {} +
