#!/bin/sh
# What deadheat scan costs: extraction beside `clang -fsyntax-only` over the same files, a second
# run, a run after one change, and how the analysis grows with the size of the program.
# SCAN_DB=compile_commands.json names the build to measure (default: this project's own);
# SCAN_OPTIONS="--profile linux" goes to scan; JOBS=N is for both sides.
set -eu
exec python3 - "$DEADHEAT" "${SCAN_DB:-$BUILD/compile_commands.json}" <<'END'
import concurrent.futures, json, os, random, shlex, subprocess, sys, tempfile, time

deadheat, database = sys.argv[1], os.path.abspath(sys.argv[2])
jobs = int(os.environ.get("JOBS", os.cpu_count()))
extra = shlex.split(os.environ.get("SCAN_OPTIONS", ""))
drop = ("-c", "-Werror")


def entries():
    """The entries of C and C++ files that exist, once each."""
    found = {}
    for e in json.load(open(database)):
        path = os.path.join(e["directory"], e["file"])
        if path.endswith((".c", ".cc", ".cpp", ".cxx")) and os.path.exists(path):
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
    cxx = e["file"].endswith((".cc", ".cpp", ".cxx"))
    kept = [a for a in argv[1:] if a not in drop and not a.startswith("-Wp,-M")]
    while "-o" in kept:
        del kept[kept.index("-o"):kept.index("-o") + 2]
    return subprocess.run(["clang++" if cxx else "clang", "-w", "-Wno-unknown-warning-option",
                           "-Qunused-arguments", *kept, "-fsyntax-only"], cwd=e["directory"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode


def clang_time(chosen):
    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        failed = sum(bool(r) for r in pool.map(syntax_only, chosen))
    return time.perf_counter() - start, failed


def scan(chosen, folder):
    """Wall time, peak memory in MiB, findings."""
    with open(os.path.join(folder, "db.json"), "w") as f:
        json.dump(chosen, f)
    out = os.path.join(folder, "out.json")
    store = os.path.join(folder, f"store-{time.monotonic_ns()}")
    start = time.perf_counter()
    child = subprocess.Popen([deadheat, "scan", "-p", "db.json", "--jobs", str(jobs), "--db", store,
                              "--format", "json", "-o", out, *extra], cwd=folder,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = child.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    if child.returncode not in (0, 1):
        sys.exit(f"scan ended with {child.returncode}: {words[-500:]}")
    with open(out) as f:
        found = len(json.load(f)["findings"])
    return took, usage.ru_maxrss / 1024, found


def changed(chosen):
    """The same build with one file compiled differently."""
    e = dict(chosen[len(chosen) // 2])
    argv = list(e.pop("arguments", None) or shlex.split(e.pop("command")))
    e["arguments"] = argv[:1] + ["-DDEADHEAT_BENCH_CHANGE=1"] + argv[1:]
    return [e if c is chosen[len(chosen) // 2] else c for c in chosen]


def main():
    for e in (chosen := entries()):
        e["directory"] = os.path.abspath(os.path.join(os.path.dirname(database), e["directory"]))
    print(f"{len(chosen)} files, {lines(chosen)} lines without headers, {jobs} jobs")
    with tempfile.TemporaryDirectory() as folder:
        clang, failed = clang_time(chosen)
        cold, _, found = scan(chosen, folder)
        warm, memory, _ = scan(chosen, folder)
        one, _, _ = scan(changed(chosen), folder)
        print(f"clang -fsyntax-only {clang:.2f} s ({failed} files rejected)")
        print(f"scan, cold {cold:.2f} s; extraction alone (cold less warm) {cold - warm:.2f} s, "
              f"{(cold - warm) / clang:.2f} times clang")
        print(f"scan, nothing changed {warm:.2f} s, one file changed {one:.2f} s; "
              f"{memory:.0f} MiB, {found} findings")
        print("the analysis alone, from the cache:")
        random.Random(1).shuffle(chosen)
        for part in (8, 4, 2, 1):
            some = chosen[:len(chosen) // part]
            took, memory, found = scan(some, folder)
            n = lines(some)
            print(f"  1/{part}: {len(some):5} files {n:8} lines  {took:7.2f} s  {memory:6.0f} MiB"
                  f"  {1e6 * took / n:6.2f} s per million lines  {found} findings")


main()
END
