#!/usr/bin/env python3
"""Prints the tests that failed and the end of what each said, from meson's testlog.json files;
with --names only their names, as 'meson test' takes them.

A long run ends with the names of what failed, so that whoever sees only its last lines (a CI page
that cuts long logs) knows where to look."""

import json
import sys

GOOD = {"OK", "EXPECTEDFAIL", "SKIP"}
LINES = 40


def failures(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                test = json.loads(line)
                if test["result"] not in GOOD:
                    yield test
    except FileNotFoundError:
        return


def show(test):
    print(f"== failed: {test['name']} ({test['result']}, {test['duration']:.1f} s)")
    for stream in ("stdout", "stderr"):
        for line in test.get(stream, "").splitlines()[-LINES:]:
            print("   ", line[:400])


def main():
    names_only = sys.argv[1] == "--names"
    for path in sys.argv[1 + names_only:]:
        for test in failures(path):
            if names_only:
                print(test["name"].rsplit(" / ", 1)[-1])
            else:
                show(test)


if __name__ == "__main__":
    main()
