#!/usr/bin/env python3
"""usage: fuzz.py BUILD-FOLDER FOLDER-OF-THIS-FILE
Prediction against gcc's ThreadSanitizer, confirmation against the plain program: time and memory, as
ratios, each the best of five; then schedules per second.  All of them run on one processor, since a
program under the scheduler runs one thread at a time, and the time is the processor's: wall time when
nothing else runs, and still meaningful when something does."""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

BUILD, HERE = sys.argv[1], sys.argv[2]
DEADHEAT = os.path.join(BUILD, "deadheat")
DRIVE = os.path.join(BUILD, "tests/sched/drive")
RUNTIME = os.path.join(BUILD, "runtime/sched/libdeadheat-sched.so")
NAMES = ["matrix", "sieve", "sort", "hash", "lists", "locks", "ping", "readers", "phases", "atomics"]
# Their synchronisation is the hot loop.
LOCK_BOUND = {"locks", "ping", "readers", "atomics"}
TRIES = 5
# What deadheat fuzz asks for (wire/sched.h): all kinds, without stacks; only errors of the heap.
PREDICT, CONFIRM = 1 | 4 | 8 | 16 | 32, 32


def measure(words):
    """(seconds, MiB) of the best of some runs; the memory is that of the largest process."""
    best, memory = None, 0
    for _ in range(TRIES):
        pid = os.fork()
        if pid == 0:
            os.sched_setaffinity(0, {0})
            null = os.open(os.devnull, os.O_RDWR)
            for fd in range(3):
                os.dup2(null, fd)
            status = subprocess.call(words)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(f"result.{os.getpid()}", "w", encoding="ascii") as f:
                json.dump([status, used.ru_utime + used.ru_stime, used.ru_maxrss], f)
            os._exit(0)
        os.waitpid(pid, 0)
        with open(f"result.{pid}", encoding="ascii") as f:
            status, took, rss = json.load(f)
        if status != 0:
            raise SystemExit(f"{' '.join(words)} ended with {status}")
        best = took if best is None else min(best, took)
        memory = max(memory, rss / 1024)
    return best, memory


def build():
    source = os.path.join(HERE, "fuzz_programs.c")
    flags = ["-O2", "-g", source, "-pthread"]
    subprocess.run(["gcc", *flags, "-o", "plain"], check=True)
    subprocess.run(["gcc", "-fsanitize=thread", *flags, "-o", "tsan"], check=True)
    subprocess.run([DEADHEAT, "cc", *flags, "-o", "ours"], check=True)


def suspect():
    """The accesses to `total`, which each of the programs comes to, as a pair to be confirmed."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "./ours"], check=True,
                          capture_output=True, text=True).stdout
    inside = code[code.index("<add>:"):].split("\n\n", 1)[0]
    behind = re.findall(r"call .*<__tsan_(?:read|write)8@plt>\n\s*([0-9a-f]+):", inside)
    return [word for offset in behind for word in ("--target", "race:" + offset)]


def drive(name, strategy, detect, *more):
    return [DRIVE, "--runtime", RUNTIME, "--strategy", strategy, "--detect", str(detect), "--direct",
            "--quiet", "--wall", "300", *more, "--", "./ours", name]


def programs():
    print(f"{'':10} {'plain':>8} {'TSan':>8} {'predict':>8} {'confirm':>8} | {'predict/TSan':>13}"
          f" {'memory':>7} | {'confirm/plain':>13}")
    pair = suspect()
    worst = {"time": 0.0, "memory": 0.0, "confirm": 0.0}
    for name in NAMES:
        plain, _ = measure(["./plain", name])
        tsan, tsan_memory = measure(["./tsan", name])
        predict, memory = measure(drive(name, "calm", PREDICT))
        confirm, _ = measure(drive(name, "race", CONFIRM, *pair))
        note = "  (synchronisation is the hot loop)" if name in LOCK_BOUND else ""
        worst["time"] = max(worst["time"], predict / tsan)
        worst["memory"] = max(worst["memory"], memory / tsan_memory)
        if name not in LOCK_BOUND:
            worst["confirm"] = max(worst["confirm"], confirm / plain)
        print(f"{name:10} {plain:7.3f}s {tsan:7.3f}s {predict:7.3f}s {confirm:7.3f}s |"
              f" {predict / tsan:13.2f} {memory / tsan_memory:7.2f} | {confirm / plain:13.2f}{note}",
              flush=True)
    print(f"worst: prediction {worst['time']:.2f} of TSan's time and {worst['memory']:.2f} of its memory;"
          f" confirmation {worst['confirm']:.2f} times the plain program where it computes")


def schedules():
    source = os.path.join(HERE, "../examples/lost_update_fixed.c")
    subprocess.run([DEADHEAT, "cc", "-O1", source, "-o", "small", "-pthread"], check=True)
    for jobs in sorted({1, os.cpu_count() or 1}):
        start = time.monotonic()
        subprocess.run([DEADHEAT, "-q", "fuzz", "--strategy", "random", "--schedules", "3000", "--jobs",
                        str(jobs), "--", "./small"], check=True, stdin=subprocess.DEVNULL)
        took = time.monotonic() - start
        print(f"schedules  {3000 / took:.0f} a second with --jobs {jobs} (lost_update_fixed, the whole"
              " command)", flush=True)


with tempfile.TemporaryDirectory() as folder:
    BUILD, HERE, DEADHEAT, DRIVE, RUNTIME = map(
        os.path.abspath, (BUILD, HERE, DEADHEAT, DRIVE, RUNTIME))
    os.chdir(folder)
    build()
    programs()
    schedules()
