#!/usr/bin/env python3
"""usage: scan.py DEADHEAT DATABASE...
See scan.sh, which says what the variables of the environment mean."""
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

DEADHEAT = sys.argv[1]
JOBS = int(os.environ.get("JOBS", os.cpu_count()))
ROUNDS = int(os.environ.get("SCAN_ROUNDS", "1"))
EXTRA = shlex.split(os.environ.get("SCAN_OPTIONS", ""))
DROP = ("-c", "-Werror")
SOURCES = (".c", ".cc", ".cpp", ".cxx")


def entries(database):
    """The entries of C and C++ files that exist, once each."""
    found = {}
    with open(database, encoding="utf-8") as f:
        rows = json.load(f)
    for e in rows:
        e["directory"] = os.path.abspath(os.path.join(os.path.dirname(database), e["directory"]))
        path = os.path.join(e["directory"], e["file"])
        if path.endswith(SOURCES) and os.path.exists(path):
            found.setdefault(os.path.realpath(path), e)
    return list(found.values())


def lines(chosen):
    total = 0
    for e in chosen:
        with open(os.path.join(e["directory"], e["file"]), "rb") as f:
            total += f.read().count(b"\n")
    return total


def syntax_only(e):
    argv = list(e.get("arguments") or shlex.split(e["command"]))
    kept = [a for a in argv[1:] if a not in DROP and not a.startswith("-Wp,-M")]
    while "-o" in kept:
        del kept[kept.index("-o"):kept.index("-o") + 2]
    clang = "clang" if e["file"].endswith(".c") else "clang++"
    return subprocess.run([clang, "-w", "-Wno-unknown-warning-option", "-Qunused-arguments", *kept,
                           "-fsyntax-only"], cwd=e["directory"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode


def clang_time(chosen):
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        failed = sum(bool(r) for r in pool.map(syntax_only, chosen))
    return time.perf_counter() - start, failed


def run(folder, chosen, *more):
    """deadheat scan over the entries: wall time, peak memory in MiB, what it said."""
    with open(os.path.join(folder, "db.json"), "w", encoding="utf-8") as f:
        json.dump(chosen, f)
    start = time.perf_counter()
    with subprocess.Popen([DEADHEAT, "-v", "scan", "-p", "db.json", "--jobs", str(JOBS), "--db",
                           f"store-{time.monotonic_ns()}", *EXTRA, *more], cwd=folder,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        words = child.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    if child.returncode not in (0, 1):
        sys.exit(f"scan ended with {child.returncode}: {words[-500:]}")
    return took, usage.ru_maxrss / 1024, words


def extraction(folder, chosen):
    """Seconds that reading the sources took, as scan says."""
    words = run(folder, chosen, "--dump")[2]
    return float(re.search(r"units in ([0-9.]+) s", words)[1])


def analysis(folder, chosen):
    took, memory, _ = run(folder, chosen, "--format", "json", "-o", "out.json")
    with open(os.path.join(folder, "out.json"), encoding="utf-8") as f:
        return took, memory, len(json.load(f)["findings"])


def changed(chosen):
    """The same build with one file compiled differently."""
    e = dict(chosen[len(chosen) // 2])
    argv = list(e.pop("arguments", None) or shlex.split(e.pop("command")))
    e["arguments"] = argv[:1] + ["-DDEADHEAT_BENCH_CHANGE=1"] + argv[1:]
    return [e if c is chosen[len(chosen) // 2] else c for c in chosen]


def compare(database, chosen):
    clang, cold = [], []
    for _ in range(ROUNDS):
        took, failed = clang_time(chosen)
        clang.append(took)
        with tempfile.TemporaryDirectory() as folder:
            cold.append(extraction(folder, chosen))
            warm = extraction(folder, chosen)
            one = extraction(folder, changed(chosen))
            size = sum(os.path.getsize(os.path.join(d, name)) for d, _, names
                       in os.walk(os.path.join(folder, ".deadheat", "scan")) for name in names)
    name = os.path.basename(os.path.dirname(os.path.abspath(database)))
    print(f"{name:20} {len(chosen):5} {lines(chosen):8} {min(clang):8.2f} {min(cold):8.2f} "
          f"{min(cold) / min(clang):6.2f} {warm:8.2f} {one:8.2f} {size / 2 ** 20:8.1f}"
          + (f"  ({failed} files rejected)" if failed else ""), flush=True)


def grow(chosen):
    """How the analysis grows; the first run fills the cache."""
    random.Random(1).shuffle(chosen)
    with tempfile.TemporaryDirectory() as folder:
        extraction(folder, chosen)
        for part in (8, 4, 2, 1):
            some = chosen[:max(1, len(chosen) // part)]
            took, memory, found = analysis(folder, some)
            n = lines(some)
            print(f"  1/{part}: {len(some):5} files {n:8} lines  {took:7.2f} s  {memory:6.0f} MiB"
                  f"  {1e6 * took / n:6.2f} s per million lines  {found} findings", flush=True)


def main():
    print(f"{JOBS} jobs; seconds: clang -fsyntax-only, extraction with nothing in the cache, their "
          "ratio,\nextraction again, and with one file changed; MiB of the cache\n"
          f"{'':20} files    lines    clang     cold  ratio    again      one    cache")
    builds = [(d, entries(d)) for d in sys.argv[2:]]
    for database, chosen in builds:
        compare(database, chosen)
    for database, chosen in builds:
        if os.environ.get("SCAN_GROWTH", "1" if len(builds) == 1 else "0") == "1":
            print(f"the analysis of {database}, from the cache:")
            grow(chosen)


main()
