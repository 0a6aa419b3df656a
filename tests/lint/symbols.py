#!/usr/bin/env python3
"""usage: symbols.py LIBRARY LIST
A runtime is loaded into somebody's program, so what it exports is a promise: nm's view of it must
be exactly LIST (one name a line, # starts a comment)."""
import subprocess
import sys


def exported(nm_output):
    """The defined dynamic symbols, without versions."""
    return {line.split()[-1].split("@")[0] for line in nm_output.splitlines() if line.strip()}


def listed(text):
    names = (line.split("#")[0].strip() for line in text.splitlines())
    return {name for name in names if name}


def compare(have, want):
    found = [f"exported but not listed: {name}" for name in sorted(have - want)]
    return found + [f"listed but not exported: {name}" for name in sorted(want - have)]


def main():
    library, path = sys.argv[1:]
    run = subprocess.run(["nm", "-D", "--defined-only", library], check=True,
                         capture_output=True, text=True)
    with open(path, encoding="utf-8") as f:
        want = listed(f.read())
    have = exported(run.stdout)
    found = compare(have, want)
    print("\n".join(found + [f"{len(have)} symbols, {len(found)} differences"]))
    return 1 if found or not have else 0


if __name__ == "__main__":
    sys.exit(main())
