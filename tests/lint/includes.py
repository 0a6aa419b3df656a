#!/usr/bin/env python3
"""Checks every #include of the product against the table in docs/ARCHITECTURE.md."""
import os
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.M)


def parse_table(text):
    """{folder: (set of folders or {'*'}, set of system headers or None)}"""
    table = {}
    for line in text.split("```include-table\n")[1].split("```")[0].splitlines():
        folder, rest = line.split(":", 1)
        system = None
        if "system:" in rest:
            rest, words = rest.split("system:", 1)
            system = set(words.split())
        table[folder.strip()] = (set(rest.split()), system)
    return table


def read_table(top):
    with open(os.path.join(top, "docs", "ARCHITECTURE.md"), encoding="utf-8") as f:
        return parse_table(f.read())


def check_quoted(folder, target, allowed):
    """None, or what is wrong with #include "target" in this folder."""
    parts = target.split("/")
    if ".." in parts:
        return "goes up with '..'; name it from the top instead"
    if len(parts) == 1 or parts[0] == folder or "*" in allowed or parts[0] in allowed:
        return None
    if folder == "runtime" and parts[0] == "runtime":
        return None
    if target == "deadheat.h":
        return None
    return f"{folder} may not include {parts[0]}"


def check_file(path, folder, text, table):
    """Complaints as 'path:line: words'."""
    if folder not in table:
        return [f"{path}:1: folder '{folder}' is not in the table of docs/ARCHITECTURE.md"]
    allowed, system = table[folder]
    found = []
    for m in INCLUDE.finditer(text):
        line = text.count("\n", 0, m.start()) + 1
        quoted, angled = m.group(1), m.group(2)
        if quoted:
            wrong = check_quoted(folder, quoted, allowed)
            if wrong:
                found.append(f"{path}:{line}: \"{quoted}\": {wrong}")
        elif system is not None and angled not in system:
            found.append(f"{path}:{line}: <{angled}>: {folder} may use only {sorted(system)}")
    return found


def folder_of(relative):
    """src/base/x.c -> base; src/main.c -> main.c; runtime/sched/x.c -> runtime."""
    parts = relative.split(os.sep)
    return "runtime" if parts[0] == "runtime" else parts[1]


def check_tree(top, table):
    found, seen = [], 0
    for sub in ("src", "runtime"):
        for folder, _, names in os.walk(os.path.join(top, sub)):
            for name in sorted(names):
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, top)
                with open(path, encoding="utf-8") as f:
                    found += check_file(relative, folder_of(relative), f.read(), table)
                seen += 1
    return found, seen


def main():
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found, seen = check_tree(top, read_table(top))
    print("\n".join(found + [f"{seen} files, {len(found)} wrong includes"]))
    return 1 if found or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
