#!/usr/bin/env python3
"""usage: explore.py [TARGET]...

Runs `deadheat explore` on the scripts of tests/explore/targets, as they are and fixed, and prints tables
like Tables 5 and 6 of the RacePro paper: what there is, what was found, and how long it took.  Then how long
a script takes by itself, recorded, and under strace -f; and how long detection takes in a build with more
than 10,000 calls.  DEADHEAT is the program; RACES=N tries at most N races of each."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "explore"))
import run  # noqa: E402

DEADHEAT = os.path.abspath(os.environ.get("DEADHEAT", "build/deadheat"))
PATTERNS = [
    r"recorded in \S+, (?P<record>[\d.]+) s",
    r"(?P<processes>\d+) processes, (?P<calls>\d+) calls, (?P<objects>\d+) objects: "
    r"(?P<races>\d+) races? in (?P<detect>[\d.]+) s",
    r"(?P<harmful>\d+) harmful, (?P<benign>\d+) benign, (?P<diverged>\d+) diverged",
    r"each took (?P<validate>[\d.]+) s \(undisturbed: (?P<undisturbed>[\d.]+) s\), "
    r"and (?P<generate>[\d.]+) ms",
]


RUNS = 3

# A hundred rules, eight at a time, each of which starts a shell and two programs.
BUILD = """all: $(foreach n,$(shell seq 100),out/$(n))
out/%: | out
	cat Makefile > $@.tmp; mv $@.tmp $@
out:
	mkdir out
"""


def explore(options, command, work, fixed):
    """What explore says, as text by name."""
    r = subprocess.run([DEADHEAT, "explore"] + options + ["--"] + command, cwd=work,
                       stdin=subprocess.DEVNULL, env=run.environment(fixed), capture_output=True,
                       text=True)
    found = {"status": str(r.returncode)}
    for pattern in PATTERNS:
        m = re.search(pattern, r.stderr)
        found.update(m.groupdict() if m else {})
    m = re.search(r"recorded in (\S+?),", r.stderr)
    if m:
        found["replay"] = f"{seconds([DEADHEAT, 'replay', m[1]], work, fixed):.2f}"
    return found


def measure(target, fixed):
    with tempfile.TemporaryDirectory(prefix="deadheat-bench-") as work:
        shutil.copy(target.path, work)
        options = ["--jobs", "1"] + target.options()
        if os.environ.get("RACES"):
            options += ["--races", os.environ["RACES"]]
        return explore(options, target.command(), work, fixed)


def seconds(command, work, fixed=False):
    began = time.monotonic()
    subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, env=run.environment(fixed),
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - began


def in_copies(prepare, act):
    """The median of what act says, each time in a new folder."""
    took = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory(prefix="deadheat-bench-") as work:
            prepare(work)
            took.append(act(work))
    return statistics.median(took)


def overhead(name, prepare, command):
    """One line: by itself, recorded for explore, and under strace."""
    alone = in_copies(prepare, lambda w: seconds(command, w))
    recorded = in_copies(prepare, lambda w: float(explore(["--list"], command, w, False)["record"]))
    traced = in_copies(prepare, lambda w: seconds(["strace", "-f", "-o", "trace"] + command, w))
    share = (recorded - alone) / max(traced - alone, 0.001)
    print(f"| {name} | {alone:.2f} | {recorded:.2f} | {traced:.2f} | {share:.2f} |", flush=True)


def put_build(work):
    with open(os.path.join(work, "Makefile"), "w") as f:
        f.write(BUILD)


def large():
    """Detection in a build with more than 10,000 calls."""
    with tempfile.TemporaryDirectory(prefix="deadheat-bench-") as work:
        put_build(work)
        found = explore(["--list"], ["make", "-j8"], work, False)
    print("\n| a build | processes | calls | objects | races | record | detect |")
    print("|---|---|---|---|---|---|---|")
    row("make -j8", found, ["processes", "calls", "objects", "races", "record", "detect"])


def row(name, found, keys):
    print("| " + " | ".join([name] + [found.get(k, "-") for k in keys]) + " |", flush=True)


def main():
    names = sys.argv[1:] or sorted(n[:-3] for n in os.listdir(os.path.join(run.HERE, "targets")))
    counts = ["processes", "calls", "objects", "races", "diverged", "benign", "harmful"]
    times = ["record", "replay", "detect", "generate", "undisturbed", "validate"]
    results = []
    print("| target | processes | calls | objects | detected | diverged | benign | harmful |")
    print("|---|---|---|---|---|---|---|---|")
    for name in names:
        target = run.Target(os.path.join(run.HERE, "targets", name + ".sh"))
        if target.missing():
            continue
        for fixed in ((False,) if "silent" in target.tags else (False, True)):
            found = measure(target, fixed)
            results.append((name + (", fixed" if fixed else ""), found))
            row(*results[-1], counts)
    print("\nSeconds; generating a branch in milliseconds; the undisturbed run is recorded too.\n")
    print("| target | record | replay | detect | generate (ms) | undisturbed | validate |")
    print("|---|---|---|---|---|---|---|")
    for name, found in results:
        row(name, found, times)
    large()
    print("\nSeconds, the median of three; the share is that of the cost of strace -f.\n")
    print("| command | alone | recorded | strace -f | share |")
    print("|---|---|---|---|---|")
    overhead("make -j8", put_build, ["make", "-s", "-j8"])
    for name in names:
        target = run.Target(os.path.join(run.HERE, "targets", name + ".sh"))
        if not target.missing() and "fixed" in target.tags:
            overhead(name, lambda w, t=target: shutil.copy(t.path, w), target.command())


if __name__ == "__main__":
    main()
