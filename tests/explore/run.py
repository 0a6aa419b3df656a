#!/usr/bin/env python3
"""usage: run.py --deadheat PROGRAM [--jobs N] [--keep DIR] [--shard K/N] [--undisturbed N] [TARGET]...

Gives each target script to `deadheat explore`, as it is and with FIXED=1 in its environment.  The
comment lines at its top say what to expect:

    # words about the race            the racy one must be found harmful, the fixed one silent
    # silent: words                   both must be silent
    # fixed: words                    what the fixed one does
    # check: COMMAND                  given as --check
    # options: OPTIONS                given as they are
    # needs: PROGRAM...               skipped without these

--undisturbed runs each racy script so many times alone: it must never fail."""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT, SKIP = 240, 77


class Target:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)[:-3]
        self.tags, self.silent = {}, False
        with open(path) as f:
            for line in f:
                m = re.match(r"# (silent|fixed|check|options|needs): (.*)", line)
                if not line.startswith("#"):
                    break
                if m:
                    self.tags[m[1]] = m[2].strip()

    def missing(self):
        return [p for p in self.tags.get("needs", "").split() if not shutil.which(p, path=PATH)]

    def command(self):
        return ["sh", self.name + ".sh"]

    def options(self):
        out = shlex.split(self.tags.get("options", ""))
        if "check" in self.tags:
            out += ["--check", self.tags["check"]]
        return out


# Wrappers of other users' Python are no part of what is tested.
PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/bin"


def environment(fixed):
    env = {k: v for k, v in os.environ.items() if not k.startswith("DEADHEAT")}
    env.update(PATH=PATH, FIXED="1" if fixed else "", LC_ALL="C.UTF-8")
    return env


def run_alone(target, work):
    """Whether the racy script ends well by itself."""
    r = subprocess.run(target.command(), cwd=work, env=environment(False), stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT)
    if r.returncode == 0 and "check" in target.tags:
        r = subprocess.run(["sh", "-c", target.tags["check"]], cwd=work, env=environment(False),
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return r.returncode == 0


def explore(args, target, fixed, work):
    """(exit status, findings, stderr)"""
    command = [args.deadheat, "explore", "--format", "json", "--jobs", str(args.jobs)]
    command += args.option + target.options() + ["--"] + target.command()
    r = subprocess.run(command, cwd=work, env=environment(fixed), stdin=subprocess.DEVNULL,
                       capture_output=True, text=True, timeout=TIMEOUT)
    try:
        found = json.loads(r.stdout)["findings"]
    except (ValueError, KeyError):
        found = None
    return r.returncode, found, r.stderr


def judge(target, fixed, status, found):
    """None, or what is wrong."""
    if found is None or status not in (0, 1):
        return f"status {status}"
    harmful = [f for f in found if f["level"] in ("harmful", "explained")]
    wanted = not fixed and "silent" not in target.tags
    if wanted and not harmful:
        return "no harmful race was found"
    if not wanted and harmful:
        return f"found harmful: {harmful[0]['title']}"
    if wanted and not all(f.get("reproduce") for f in harmful):
        return "a harmful race without the command that shows it again"
    return None


def in_scratch(target, keep, act):
    with tempfile.TemporaryDirectory(prefix="deadheat-explore-") as scratch:
        work = os.path.join(keep, target.name) if keep else scratch
        os.makedirs(work, exist_ok=True)
        shutil.copy(target.path, work)
        return act(work)


def test(args, target, fixed):
    def act(work):
        status, found, said = explore(args, target, fixed, work)
        wrong = judge(target, fixed, status, found)
        name = target.name + (" (fixed)" if fixed else "")
        if wrong:
            print(f"FAILED {name}: {wrong}\n{said}", flush=True)
        elif args.verbose:
            print(f"ok     {name}\n{said}", flush=True)
        else:
            print(f"ok     {name}", flush=True)
        return wrong is None
    return in_scratch(target, args.keep and os.path.join(args.keep, "fixed" if fixed else "racy"),
                      act)


def test_alone(args, target):
    failures = sum(not in_scratch(target, None, lambda w: run_alone(target, w))
                   for _ in range(args.undisturbed))
    print(f"{'ok    ' if not failures else 'FAILED'} {target.name}: "
          f"{failures} of {args.undisturbed} undisturbed runs failed", flush=True)
    return failures == 0


def allowed(args):
    """Whether a sandbox is to be had here; says why not."""
    with tempfile.TemporaryDirectory(prefix="deadheat-explore-") as scratch:
        r = subprocess.run([args.deadheat, "explore", "--", "true"], cwd=scratch,
                           stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           timeout=TIMEOUT)
    if r.returncode == 3 and "sandbox" in r.stderr:
        print("skipped:", r.stderr.strip())
        return False
    return True


def choose(args):
    names = sorted(os.listdir(os.path.join(HERE, "targets")))
    targets = [Target(os.path.join(HERE, "targets", n)) for n in names if n.endswith(".sh")]
    if args.target:
        return [t for t in targets if t.name in args.target]
    k, n = (int(x) for x in args.shard.split("/"))
    return targets[k - 1::n]


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("--deadheat", default="deadheat")
    p.add_argument("--jobs", type=int, default=1)
    p.add_argument("--keep")
    p.add_argument("--shard", default="1/1")
    p.add_argument("--undisturbed", type=int, default=0)
    p.add_argument("--option", action="append", default=[])
    p.add_argument("-v", "--verbose", action="store_true")
    p.add_argument("target", nargs="*")
    args = p.parse_args()
    if os.path.dirname(args.deadheat):
        args.deadheat = os.path.abspath(args.deadheat)
    if not args.undisturbed and not allowed(args):
        return SKIP
    good = True
    for target in choose(args):
        if target.missing():
            print(f"skipped {target.name}: no {' '.join(target.missing())}", flush=True)
            continue
        if args.undisturbed:
            good &= test_alone(args, target)
            continue
        for fixed in (False, True):
            if not (fixed and "silent" in target.tags):
                good &= test(args, target, fixed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
