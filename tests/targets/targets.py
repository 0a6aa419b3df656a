"""What the runners of tests/targets share: the programs, their tags, building and running them.

A target is NAME.c or NAME.cc with a concurrency bug, and its twin is NAME_fixed.c without it.  The
comment at the top of each says in words what is wrong, and then for the runners:

    kind: data-race          the kind of mistake; "none" in a twin
    harm: heap, crash        how it shows, any of these (see HARMS)
    fuzz: --compare-output   further options for deadheat fuzz
    sizes: N = 10, 1000      this file is the targets NAME_10 and NAME_1000, built with -DN=10 ...

Lines that are part of the mistake end in a comment with the word BUG."""

import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"data-race", "atomicity-violation", "order-violation", "deadlock", "lost-wakeup",
         "signal-race", "none"}
# assertion, abort and crash: how the program dies; deadlock: all wait; hang: no progress; heap: the
# allocator saw it; status: it exits with another status; output: it prints something else.
HARMS = {"assertion", "abort", "crash", "deadlock", "hang", "heap", "status", "output"}
TAG = re.compile(r"^ \* (kind|harm|fuzz|sizes): (.*?)(?: \*/)?$", re.M)


COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}


class Failure(Exception):
    """What a test found wrong, in words."""


def read_tags(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return text, dict(TAG.findall(text[:text.index("*/") + 2]))


def source_of(name):
    """The file of a target, and the size when that is a part of the name."""
    fixed = "_fixed" if name.endswith("_fixed") else ""
    base, _, size = name.removesuffix(fixed).rpartition("_")
    for stem, number in ((name, None), (base + fixed, size)):
        for end in (".c", ".cc"):
            path = os.path.join(HERE, stem + end)
            if os.path.exists(path):
                return path, number
    sys.exit(f"no target is called {name}")


class Target:
    """One source file and what its tags say."""

    def __init__(self, name):
        self.path, size = source_of(name)
        self.name = name
        self.is_twin = name.endswith("_fixed")
        text, tags = read_tags(self.path)
        self.flags = [f"-D{tags['sizes'].split(' = ')[0]}={size}"] if size else []
        self.kind = tags.get("kind")
        self.harms = set(tags["harm"].split(", ")) if "harm" in tags else set()
        self.options = tags.get("fuzz", "").split()
        self.lines = [i for i, line in enumerate(text.split("\n"), 1) if "/* BUG */" in line]
        self.check(text)

    def check(self, text):
        """A tag with a typing error must not make a test that cannot fail."""
        if self.kind not in KINDS or (self.kind == "none") != self.is_twin:
            sys.exit(f"{self.path}: its kind is {self.kind!r}")
        if not self.harms <= HARMS or bool(self.harms) == self.is_twin:
            sys.exit(f"{self.path}: its harm is {sorted(self.harms)}")
        if bool(self.lines) == self.is_twin:
            sys.exit(f"{self.path}: lines with BUG: {self.lines}")

    @property
    def is_cxx(self):
        return self.path.endswith(".cc")


def names():
    """All programs with a bug, by name."""
    found = []
    for file in sorted(f for f in os.listdir(HERE) if f.endswith((".c", ".cc"))):
        stem = os.path.splitext(file)[0]
        sizes = read_tags(os.path.join(HERE, file))[1].get("sizes")
        base, fixed = stem.removesuffix("_fixed"), "_fixed" if stem.endswith("_fixed") else ""
        found += [f"{base}_{n}{fixed}" for n in sizes.split(" = ")[1].split(", ")] if sizes else \
            [stem]
    found.sort()
    racy = [n for n in found if not n.endswith("_fixed")]
    for name in racy:
        if name + "_fixed" not in found:
            sys.exit(f"{name} has no fixed twin")
    if len(found) != 2 * len(racy):
        sys.exit("there is a twin without its program")
    return racy


def choose(patterns, shard="1/1"):
    chosen = names()
    for pattern in patterns:
        if not fnmatch.filter(chosen, pattern):
            sys.exit(f"no target is called {pattern}")
    if patterns:
        chosen = [n for n in chosen if any(fnmatch.fnmatch(n, p) for p in patterns)]
    index, count = (int(x) for x in shard.split("/"))
    return chosen[index - 1::count]


def build(target, output, cc=("gcc",), cxx=("g++",), flags=()):
    """Compiles; None, or the compiler's words."""
    compiler = [*cxx, "-std=gnu++17"] if target.is_cxx else [*cc, "-std=gnu17"]
    command = [*compiler, "-g", "-O1", "-pthread", *target.flags, *flags, target.path, "-o", output]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600, check=False)
    return None if done.returncode == 0 else done.stdout.decode(errors="replace")


class Ended:
    """How one execution ended: status (128 + signal, None for out of time) and what it printed."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def execute(command, timeout, env=None, cwd=None):
    """Runs with a limit; nothing of it is left behind."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env=env, cwd=cwd, start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return Ended(None, out, err)
    status = process.returncode
    return Ended(status if status >= 0 else 128 - status, out, err)


def build_for_fuzz(deadheat, how, target, folder, flags=()):
    """Builds with deadheat cc over gcc or clang, or ("tsan") by plain gcc; the program's path."""
    program = os.path.join(folder, target.name)
    if how == "tsan":
        words = build(target, program, flags=["-fsanitize=thread", *flags])
    else:
        os.environ["DEADHEAT_CC"], os.environ["DEADHEAT_CXX"] = COMPILERS[how]
        words = build(target, program, [deadheat, "cc"], [deadheat, "c++"], flags)
    if words:
        raise Failure(f"cannot be built: {words[-600:]}")
    return program


def fuzz(deadheat, target, program, options, timeout):
    """The exit status of deadheat fuzz, its report, the schedules that it ran (all of them, those
    that make a failing one small included), and how long it took."""
    report = program + ".json"
    command = [deadheat, "fuzz", "--db", program + ".db", "--format", "json", "-o", report,
               *options, *target.options, "--", program]
    begun = time.monotonic()
    ended = execute(command, timeout, cwd=os.path.dirname(program))
    took = time.monotonic() - begun
    if ended.status is None:
        raise Failure(f"deadheat fuzz was not over after {timeout:.0f} seconds")
    if ended.status not in (0, 1):
        raise Failure(f"deadheat fuzz ended with {ended.status}: "
                      f"{ended.err.decode(errors='replace').strip()[-300:]}")
    ran = re.search(rb"(\d+) schedules in", ended.err)
    with open(report, encoding="utf-8") as f:
        return ended.status, json.load(f), int(ran[1]) if ran else 0, took
