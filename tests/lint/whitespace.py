#!/usr/bin/env python3
"""Text files are UTF-8, end with one newline, and have no blanks at the ends of lines, as
.editorconfig asks.  What tests feed to programs (data/, corpus/) may look as it likes."""
import os
import sys

from machine_paths import text_files

FREE = {"data", "corpus"}
FREE_FILES = {"LICENSE"}


def check_text(path, text):
    found = []
    if "\ufffd" in text:
        found.append(f"{path}:1: not UTF-8")
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            found.append(f"{path}:{number}: blanks at the end of the line")
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        found.append(f"{path}:{number}: does not end with one newline")
    return found


def main():
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found, seen = [], 0
    for path, text in text_files(top):
        if FREE.isdisjoint(path.split(os.sep)) and path not in FREE_FILES:
            found += check_text(path, text)
            seen += 1
    print("\n".join(found + [f"{seen} files, {len(found)} complaints"]))
    return 1 if found or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
