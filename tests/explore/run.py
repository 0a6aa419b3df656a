#!/usr/bin/env python3
"""usage: run.py --deadheat PROGRAM [--jobs N] [--parallel N] [--keep DIR] [--shard K/N] [--once] [TARGET]...

Gives each target script to `deadheat explore`, as it is and with FIXED=1 in its environment.  The
comment lines at its top say what to expect:

    # words about the race            the racy one must be found harmful, the fixed one silent
    # silent: words                   both must be silent
    # fixed: words                    what the fixed one does
    # fails: words                    it fails by itself, and is meant to
    # check: COMMAND                  given as --check
    # during: COMMAND                 given as --check-during
    # options: OPTIONS                given as they are
    # needs: PROGRAM...               skipped without these
    # root: why                       skipped for others
    # says: REGEX                     in what is said of the harmful race that ranks highest
    # mend: REGEX                     fits what the answer says about mending it
    # line: REGEX                     fits where the answer says that it is in the script

--parallel gives so many targets at a time: they mostly sleep.  --once: a target that fails has failed."""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT, SKIP = 100, 77
# The scripts order themselves by pauses.  On a machine that is too busy for them, once more with longer ones.
STRETCH = 12


class Target:
    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)[:-3]
        self.tags, self.silent = {}, False
        with open(path) as f:
            for line in f:
                m = re.match(r"# (silent|fixed|fails|check|during|options|needs|root|says|mend|line): (.*)", line)
                if not line.startswith("#"):
                    break
                if m:
                    self.tags[m[1]] = m[2].strip()

    def missing(self):
        """Why it cannot run here, or nothing."""
        lacks = [p for p in self.tags.get("needs", "").split() if not shutil.which(p, path=PATH)]
        if lacks:
            return "no " + " ".join(lacks)
        return "needs root: " + self.tags["root"] if "root" in self.tags and os.geteuid() else ""

    def command(self):
        return ["sh", self.name + ".sh"]

    def options(self):
        out = shlex.split(self.tags.get("options", ""))
        if "check" in self.tags:
            out += ["--check", self.tags["check"]]
        if "during" in self.tags:
            out += ["--check-during", self.tags["during"]]
        return out


# Wrappers of other users' Python are no part of what is tested.
PATH = "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/bin"


def environment(fixed):
    env = {k: v for k, v in os.environ.items() if not k.startswith("DEADHEAT")}
    env.update(PATH=PATH, FIXED="1" if fixed else "", LC_ALL="C.UTF-8")
    return env


def run_alone(target, work):
    """Whether the racy script ends well by itself."""
    quiet = dict(cwd=work, env=environment(False), stdin=subprocess.DEVNULL,
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    well, ends = True, time.monotonic() + TIMEOUT
    with subprocess.Popen(target.command(), **quiet) as p:
        while "during" in target.tags and well and p.poll() is None and time.monotonic() < ends:
            well = subprocess.run(["sh", "-c", target.tags["during"]], **quiet).returncode == 0
        try:
            well &= p.wait(max(ends - time.monotonic(), 0)) == 0
        except subprocess.TimeoutExpired:
            p.kill()
            return False
    if well and "check" in target.tags:
        well = subprocess.run(["sh", "-c", target.tags["check"]], **quiet).returncode == 0
    return well


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
    for tag, said in (("mend", [f["mend"] for f in harmful]),
                      ("line", [r for f in harmful for r in f["reasons"]])):
        if wanted and tag in target.tags and not any(re.search(target.tags[tag], r, re.I) for r in said):
            return f"nothing fits '{target.tags[tag]}' in {said}"
    return misses(target, harmful[0]) if wanted else None


def words_of(finding):
    failure = finding.get("failure") or {}
    return "\n".join([finding["title"], failure.get("detail") or "", finding["mend"] or ""] + finding["reasons"])


def misses(target, finding):
    """None, or what the finding should have said."""
    text, says = words_of(finding), target.tags.get("says")
    return None if not says or re.search(says, text, re.I) else f"does not say {says!r}:\n{text}"


def in_scratch(target, keep, act, stretch=1):
    with open(target.path) as f:
        script = re.sub(r"(sleep[ (])([\d.]+)", lambda m: f"{m[1]}{float(m[2]) * stretch:g}", f.read())
    with tempfile.TemporaryDirectory(prefix="deadheat-explore-") as scratch:
        work = os.path.join(keep, target.name) if keep else scratch
        os.makedirs(work, exist_ok=True)
        with open(os.path.join(work, os.path.basename(target.path)), "w") as f:
            f.write(script)
        return act(work)


def test(args, target, fixed):
    """(whether all is well, what to print)"""
    name = target.name + (" (fixed)" if fixed else "")
    if target.missing():
        return True, f"skipped {name}: {target.missing()}"

    def act(work):
        began = time.monotonic()
        try:
            status, found, said = explore(args, target, fixed, work)
        except subprocess.TimeoutExpired:
            return False, f"FAILED {name}: not over in {TIMEOUT} s"
        wrong = judge(target, fixed, status, found)
        if wrong:
            return False, f"FAILED {name}: {wrong}\n{said}"
        harmful = [words_of(f) for f in found if f["level"] in ("harmful", "explained")]
        took = time.monotonic() - began
        return True, "\n".join([f"ok     {name}, {took:.1f} s"] + ([said] + harmful if args.verbose else []))
    keep = args.keep and os.path.join(args.keep, "fixed" if fixed else "racy")
    well, words = in_scratch(target, keep, act)
    if not well and not args.once:
        first, (well, words) = words, in_scratch(target, keep, act, STRETCH)
        words = f"again: {first}\n{words}"
    return well, words


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


def all_targets():
    names = sorted(os.listdir(os.path.join(HERE, "targets")))
    return [Target(os.path.join(HERE, "targets", n)) for n in names if n.endswith(".sh")]


def choose(args):
    targets = all_targets()
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
    p.add_argument("--once", action="store_true")
    p.add_argument("--parallel", type=int, default=1)
    p.add_argument("--option", action="append", default=[])
    p.add_argument("-v", "--verbose", action="store_true")
    p.add_argument("target", nargs="*")
    args = p.parse_args()
    if os.path.dirname(args.deadheat):
        args.deadheat = os.path.abspath(args.deadheat)
    if not allowed(args):
        return SKIP
    jobs = [(t, fixed) for t in choose(args) for fixed in (False, True)
            if not (fixed and "silent" in t.tags)]
    good = bool(jobs)
    with concurrent.futures.ThreadPoolExecutor(args.parallel) as pool:
        for well, words in pool.map(lambda job: test(args, *job), jobs):
            print(words, flush=True)
            good &= well
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
