#!/usr/bin/env python3
"""usage: explore.py [TARGET]...

Runs `deadheat explore` on the scripts of tests/explore/targets, as they are and fixed, and prints tables
like Tables 5 and 6 of the RacePro paper: what there is, what was found, and how long it took.
DEADHEAT is the program; RACES=N tries at most N races of each."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

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


def measure(target, fixed):
    """What explore says about one target, as text by name."""
    with tempfile.TemporaryDirectory(prefix="deadheat-bench-") as work:
        shutil.copy(target.path, work)
        command = [DEADHEAT, "explore", "--jobs", "1"] + target.options()
        if os.environ.get("RACES"):
            command += ["--races", os.environ["RACES"]]
        r = subprocess.run(command + ["--"] + target.command(), cwd=work, stdin=subprocess.DEVNULL,
                           env=run.environment(fixed), capture_output=True, text=True)
    found = {"status": str(r.returncode)}
    for pattern in PATTERNS:
        m = re.search(pattern, r.stderr)
        found.update(m.groupdict() if m else {})
    return found


def row(name, found, keys):
    print("| " + " | ".join([name] + [found.get(k, "-") for k in keys]) + " |", flush=True)


def main():
    names = sys.argv[1:] or sorted(n[:-3] for n in os.listdir(os.path.join(run.HERE, "targets")))
    counts = ["processes", "calls", "objects", "races", "diverged", "benign", "harmful"]
    times = ["record", "detect", "generate", "undisturbed", "validate"]
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
    print("| target | record | detect | generate (ms) | undisturbed | validate |")
    print("|---|---|---|---|---|---|")
    for name, found in results:
        row(name, found, times)


if __name__ == "__main__":
    main()
