#!/usr/bin/env python3
"""Reports functions and files that are larger than the style asks for.  A report, not a test:
it always ends with 0."""
import os
import re
import sys

FUNCTION_LINES, FILE_LINES = 60, 600


def functions(lines):
    """(name, first line, length) of each function in the project's brace style."""
    for number, line in enumerate(lines):
        if line != "{" or number == 0:
            continue
        head = number - 1
        while head > 0 and lines[head].startswith(("\t", " ")):
            head -= 1
        name = re.search(r"(\w+)\s*\(", lines[head])
        end = number
        while end < len(lines) and lines[end] != "}":
            end += 1
        if name:
            yield name.group(1), number + 1, end - number - 1


def main():
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for sub in ("src", "runtime"):
        for folder, _, names in os.walk(os.path.join(top, sub)):
            for name in sorted(n for n in names if n.endswith((".c", ".h"))):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as f:
                    lines = f.read().split("\n")
                short = os.path.relpath(path, top)
                if len(lines) > FILE_LINES:
                    print(f"{short}:1: {len(lines)} lines: are there two things inside?")
                for function, line, length in functions(lines):
                    if length > FUNCTION_LINES:
                        print(f"{short}:{line}: {function}() has {length} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
