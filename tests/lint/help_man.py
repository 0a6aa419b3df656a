#!/usr/bin/env python3
"""usage: help_man.py DEADHEAT MAN-FOLDER
Every option in a command's --help is in its man page, and the other way round; every command has
a man page, every man page a command; deadheat.1 names each command; and no page has a mistake in
its markup (when mandoc is there)."""
import os
import re
import shutil
import subprocess
import sys

# "  -f, --flag ARG   words" or "      --flag": at most six columns before the first dash.
HELP_LINE = re.compile(r"^ {2,6}(-.*)$")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w+-]*|-[A-Za-z0-9])(?![\w-])")


def options_of_help(text):
    """The options in the left column of a --help text."""
    found = set()
    for line in text.splitlines():
        m = HELP_LINE.match(line)
        if m:
            left = re.split(r" {2,}", m.group(1).replace(",  ", ", "))[0]
            found |= set(OPTION.findall(left))
    return found


def options_of_man(text):
    """The options in the tags (the line behind .TP) of a man page's source."""
    found, tag = set(), False
    for line in text.splitlines():
        if tag:
            plain = re.sub(r"\\f[BIRP]", "", line.replace("\\-", "-")).replace('"', " ")
            found |= set(OPTION.findall(plain))
        tag = line.startswith((".TP", ".TQ"))
    return found


def commands_of_help(text):
    """The commands in deadheat --help: two spaces, a name, two or more spaces, words."""
    return re.findall(r"^  ([a-z][a-z0-9+-]*) {1,}\S", text, re.M)


def compare(name, help_text, man_text):
    in_help, in_man = options_of_help(help_text), options_of_man(man_text)
    found = [f"{name}: {o} is in --help but not in the man page" for o in sorted(in_help - in_man)]
    found += [f"{name}: {o} is in the man page but not in --help" for o in sorted(in_man - in_help)]
    return found


def markup(path):
    if not shutil.which("mandoc"):
        print("note: mandoc is not installed, markup not checked")
        return []
    run = subprocess.run(["mandoc", "-Tlint", "-Wwarning", path], capture_output=True, text=True)
    # A date in a page is one more thing to forget.
    return [line for line in run.stdout.splitlines() if "missing date" not in line]


def check(deadheat, folder):
    def help_of(*args):
        run = subprocess.run([deadheat, *args, "--help"], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=20)
        return run.stdout if run.returncode == 0 else None

    def man_of(name):
        path = os.path.join(folder, name + ".1")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as f:
            return f.read()

    found = []
    top, page = help_of(), man_of("deadheat")
    commands = commands_of_help(top)
    found += compare("deadheat", top, page)
    for command in commands:
        name = f"deadheat-{command}"
        if name not in page.replace("\\-", "-"):
            found.append(f"deadheat.1 does not mention {name}(1)")
        text, man = help_of(command), man_of(name)
        if text is None:
            found.append(f"{command}: --help fails")
        elif man is None:
            found.append(f"{command}: man/{name}.1 is missing")
        else:
            found += compare(command, text, man)
            wide = [line for line in text.splitlines() if len(line) > 100]
            found += [f"{command}: --help is wider than 100 columns: {line}" for line in wide]
    for file in sorted(os.listdir(folder)):
        if file.endswith(".1"):
            found += markup(os.path.join(folder, file))
            command = file[len("deadheat-"):-2]
            if file != "deadheat.1" and command not in commands:
                found.append(f"man/{file}: there is no such command")
    return found, len(commands)


def main():
    found, n = check(sys.argv[1], sys.argv[2])
    print("\n".join(found + [f"{n} commands, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
