#!/usr/bin/env python3
"""usage: run_cli.py [--update] BUILD-FOLDER CASE.t

Runs the command lines of a case file in a scratch folder and compares what they print and how they
end with what stands below them:

    # words that say what this is about
    $ deadheat frobnicate
    ! deadheat: error: unknown command 'frobnicate' (deadheat --help)
    ? 2

"$ " is a command for sh (a line that ends in a backslash goes on); the lines below it are its
stdout, those with "! " its stderr, and "? N" its exit status when that is not 0.  An empty line of
output is "|", and "| " stands before a line that begins with one of these marks.  Blank lines and lines with # stand between
commands.  "% needs COMMAND" skips the whole case unless COMMAND succeeds.  The commands share one
scratch folder; BUILD, SOURCE and TMP are in the environment, and deadheat on the PATH.

--update writes what was printed into the case file: look at the difference before you commit it."""
import os
import shutil
import subprocess
import sys
import tempfile

from normalise import normalise

SKIP, TIMEOUT = 77, 60
MARKS = ("$ ", "! ", "? ", "|", "% ", "#")


class Case:
    """One command with its expected lines; 'before' are the comment lines above it."""

    def __init__(self, before, command, line):
        self.before, self.command, self.line, self.expected = before, command, line, []


def parse(text):
    """([condition], [Case], [lines after the last])"""
    needs, cases, before = [], [], []
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("% needs "):
            needs.append(line[len("% needs "):])
            before.append(line)
        elif line.startswith("$ "):
            command, start = [line[2:]], i + 1
            while command[-1].endswith("\\") and i + 1 < len(lines):
                i += 1
                command.append(lines[i])
            cases.append(Case(before, "\n".join(command), start))
            before = []
        elif line == "" or line.startswith("#"):
            before.append(line)
        elif cases and not before:
            cases[-1].expected.append(line)
        else:
            raise SystemExit(f"line {i + 1}: output without a command above it: {line}")
        i += 1
    return needs, cases, before


def environment(build, source, scratch):
    env = {k: v for k, v in os.environ.items() if not k.startswith("DEADHEAT")}
    env.update(LC_ALL="C.UTF-8", TZ="UTC", TERM="dumb", COLUMNS="80", HOME=scratch, TMP=scratch,
               TMPDIR=scratch, BUILD=build, SOURCE=source, PATH=build + ":" + env["PATH"])
    return env


def mark(line, prefix):
    """One line of output as it stands in the case file."""
    if prefix == "" and line.startswith(MARKS):
        prefix = "| "
    return prefix + line or "|"


def run(command, scratch, env, places):
    """The lines that the command should have below it."""
    try:
        p = subprocess.run(["sh", "-c", command], cwd=scratch, env=env, timeout=TIMEOUT,
                           stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return [f"? no end within {TIMEOUT} s"]
    lines = []
    for data, prefix in ((p.stdout, ""), (p.stderr, "! ")):
        text = normalise(data.decode("utf-8", "backslashreplace"), places)
        if text.endswith("\n"):
            text = text[:-1]
        elif text:
            text += "(no newline)"
        if text or data:
            lines += [mark(line, prefix).rstrip() for line in text.split("\n")]
    if p.returncode:
        lines.append(f"? {p.returncode}")
    return lines


def show_difference(path, case, got):
    print(f"{path}:{case.line}: $ {case.command}")
    for line in case.expected:
        print(("  " if line in got else "- ") + line)
    for line in got:
        if line not in case.expected:
            print("+ " + line)
    if sorted(got) == sorted(case.expected):
        print("(the same lines in another order)")


def run_file(path, build, update):
    with open(path, encoding="utf-8") as f:
        needs, cases, rest = parse(f.read())
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    scratch = os.path.realpath(tempfile.mkdtemp(prefix="deadheat-cli-"))
    env = environment(build, source, scratch)
    places = [(scratch, "TMP"), (build, "BUILD"), (source, "SOURCE")]
    failed, out = 0, []
    try:
        for condition in needs:
            if subprocess.run(["sh", "-c", condition], cwd=scratch, env=env, timeout=TIMEOUT,
                              capture_output=True).returncode:
                print(f"skipped: needs: {condition}")
                return SKIP
        for case in cases:
            got = run(case.command, scratch, env, places)
            if got != case.expected:
                failed += 1
                show_difference(path, case, got)
            out += case.before + ["$ " + case.command] + got
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if update:
        with open(path, "w", encoding="utf-8") as f:
            f.write("\n".join(out + rest))
        return 0
    print(f"{len(cases)} commands, {failed} differ")
    return 1 if failed or not cases else 0


def main():
    args = sys.argv[1:]
    update = args[:1] == ["--update"]
    if len(args) != 2 + update:
        print(__doc__, file=sys.stderr)
        return 2
    build, path = args[-2:]
    return run_file(path, os.path.realpath(build), update)


if __name__ == "__main__":
    sys.exit(main())
