#!/usr/bin/env python3
"""No file names a folder of somebody's own machine, nor a package server."""
import os
import re
import sys

FORBIDDEN = [
    (re.compile(r"(?<![\w.$}])/(home|Users)/[\w.-]+/"), "a home directory"),
    (re.compile(r"(?<![\w.$}])/(work|root)/\w"), "a folder of one machine"),
    (re.compile(r"/tmp/wt\b"), "a folder of one machine"),
    (re.compile(r"\b(deb|snapshot|security)\.debian\.org|\bregistry\.npmjs"), "a package server"),
]
SKIP_FOLDERS = re.compile(r"^(\.git|build.*|\.cache|\.deadheat|corpus|__pycache__)$")


def check_text(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, what in FORBIDDEN:
            m = pattern.search(line)
            if m:
                found.append(f"{path}:{number}: {what}: {m.group(0)}")
    return found


def text_files(top):
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(d for d in folders if not SKIP_FOLDERS.match(d))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            with open(path, "rb") as f:
                data = f.read()
            if b"\0" not in data:
                yield os.path.relpath(path, top), data.decode("utf-8", "replace")


def main():
    here = os.path.abspath(__file__)
    top = os.path.dirname(os.path.dirname(os.path.dirname(here)))
    # The files that hold the patterns and the examples for them are the only exceptions.
    own = {os.path.relpath(here, top), os.path.join("tests", "lint", "test_lint.py"), ".git"}
    found, seen = [], 0
    for path, text in text_files(top):
        seen += 1
        if path not in own:
            found += check_text(path, text)
    print("\n".join(found + [f"{seen} files, {len(found)} machine paths"]))
    return 1 if found or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
