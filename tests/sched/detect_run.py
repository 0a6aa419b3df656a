#!/usr/bin/env python3
"""usage: detect_run.py DRIVE RUNTIME PROGRAMS CASE
Predictions and heap errors of the scheduling runtime, on programs whose comments say what is to be
found in them."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

DRIVE, RUNTIME, PROGRAMS = sys.argv[1:4]
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
# enum dh_sched_detect: races, lock order, atomicity, order, heap; with or without lock edges.
HYBRID, HAPPENS_BEFORE, HEAP = 61, 63, 32
SKIP = 77


def drive(program, *options, arguments=()):
    command = [DRIVE, "--runtime", RUNTIME, "--quiet", *options, "--",
               os.path.join(PROGRAMS, program), *arguments]
    stand_in = os.path.join(os.path.dirname(RUNTIME), "stand-in")
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False,
                          env={**os.environ, "LD_LIBRARY_PATH": stand_in})
    check(done.returncode == 0, command, done.returncode, done.stdout, done.stderr)
    return done.stdout.splitlines()


def check(condition, *words):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in words))


def lines_of(program, offsets):
    """{offset: line}, of the call that returns to the offset."""
    addresses = [hex(offset - 1) for offset in offsets]
    text = subprocess.run(["addr2line", "-e", os.path.join(PROGRAMS, program), *addresses],
                          capture_output=True, text=True, check=True).stdout
    numbers = (re.search(r":(\d+)", line) for line in text.splitlines())
    return dict(zip(offsets, (int(m.group(1)) if m else 0 for m in numbers)))


def candidates(program, lines):
    """(kind, lines of the accesses, line of the text) of each candidate."""
    found = []
    for line in lines:
        if not line.startswith("candidate "):
            continue
        sites = re.findall(r" (\*?)(0x[0-9a-f]+|0)/T(\d+)/(\w+)/role", line)
        check(not any(star for star, *_ in sites), "a site outside of the program:", line)
        kind = line.split()[1]
        shown = sites[:{"race": 2, "atomicity": 3, "order": 2}.get(kind, len(sites))]
        place = lines_of(program, [int(offset, 16) for _, offset, *_ in shown])
        found.append((kind, frozenset(place.values()), line))
    return found


def expected(program):
    """{(kind, letter): lines}"""
    wanted = {}
    with open(os.path.join(SOURCES, program + ".c"), encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            for kind, letter in re.findall(r"\b(race|atomicity|order|deadlock|misuse) ([A-Z])\b", line):
                wanted.setdefault((kind, letter), set()).add(number)
    return wanted


def case_kinds():
    """Over some seeds everything is found, and no race that is not there; with all stacks."""
    wanted, found = expected("detect_kinds"), []
    check(len(wanted) == 7, wanted)
    for strategy in ("calm", "random", "pos"):
        found += candidates("detect_kinds", drive("detect_kinds", "--strategy", strategy,
                            "--runs", "5", "--detect", str(HYBRID), "--predict"))
    for (kind, letter), lines in wanted.items():
        check(any(k == kind and got == lines for k, got, _ in found), kind, letter, lines)
    races = [lines for (kind, _), lines in wanted.items() if kind == "race"]
    for kind, lines, text in found:
        check(kind != "race" or any(lines <= real for real in races), "no race:", lines, text)
        check("/stack0" not in text, text)


def case_more():
    """What calls do to memory, objects that come too late, locks that are misused; not the twin."""
    wanted, found, names = expected("detect_more"), [], ("race", "misuse")
    check(len(wanted) == 7, wanted)
    for strategy in ("calm", "random"):
        found += candidates("detect_more", drive("detect_more", "--strategy", strategy, "--runs", "4",
                            "--detect", str(HYBRID), "--predict"))
    for (kind, letter), lines in wanted.items():
        check(any(k == kind and got == lines for k, got, _ in found), kind, letter, lines, found)
    for kind, lines, text in found:
        check(kind not in names or lines in wanted.values(), "not there:", lines, text)
    for strategy in ("calm", "random"):
        lines = drive("detect_more_fixed", "--strategy", strategy, "--runs", "10",
                      "--detect", str(HYBRID), "--predict")
        check(all("exit=0" in line for line in lines if " end=" in line), lines)
        for kind, _, text in candidates("detect_more_fixed", lines):
            check(kind not in names, text)


def case_silent():
    """No race and no deadlock, whatever the schedule and the mode."""
    for detect in (HYBRID, HAPPENS_BEFORE):
        lines = drive("detect_silent", "--strategy", "random", "--runs", "20",
                      "--detect", str(detect), "--predict")
        check(all("exit=0" in line for line in lines if " end=" in line), lines)
        for kind, _, text in candidates("detect_silent", lines):
            check(kind not in ("race", "deadlock"), text)


def case_same():
    """The two runs of a prediction are one schedule, and a prediction is repeatable."""
    lines = drive("detect_kinds", "--strategy", "random", "--runs", "6", "--same",
                  "--detect", str(HYBRID), "--predict")
    hashes = {line.split("hash=")[1].split()[0] for line in lines if "hash=" in line}
    check(len(hashes) == 1, hashes)
    blocks = "\n".join(line for line in lines if "hash=" not in line).split("granules")
    check(len(set(blocks[1:-1])) == 1 and "candidate" in blocks[1], blocks)


def case_heap():
    words = {"read": "read of freed memory", "write": "write to freed memory",
             "double": "double free", "middle": "free of what is not a block",
             "copy": "read of freed memory", "call": "write to freed memory",
             "lock": "write to freed memory"}
    for detect in (HEAP, HYBRID):
        for what, text in words.items():
            line = drive("detect_heap", "--detect", str(detect), arguments=(what,))[0]
            check("end=heap" in line and "text=" + text in line, what, detect, line)
        line = drive("detect_heap", "--detect", str(detect), arguments=("well",))[0]
        check("end=exit exit=0" in line, line)


def exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True,
                          check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines()}


def undefined(path):
    text = subprocess.run(["nm", "-u", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1] for line in text.splitlines()}


# Hooks that a program may define itself, and the wrappers of its own system calls.
NOT_OURS = re.compile(r"__sanitizer_(syscall|weak_hook|malloc_hook|free_hook)|__tsan_default_|"
                      r"__tsan_on_report|__tsan_symbolize_external|__sanitizer_netbsd")


def emitted():
    """What the passes of gcc 12 and clang 14 to 19 make programs call."""
    sizes, bits = ("1", "2", "4", "8", "16"), ("8", "16", "32", "64", "128")
    kinds = [prefix + name for name in ("read", "write") for prefix in
             ("", "unaligned_", "volatile_", "unaligned_volatile_")]
    names = {f"__tsan_{k}{n}" for k in [*kinds, "read_write", "unaligned_read_write"] for n in sizes}
    names |= {f"__tsan_atomic{b}_{op}" for b in bits for op in
              ("load", "store", "exchange", "compare_exchange_val", "compare_exchange_strong",
               "compare_exchange_weak", *(f"fetch_{f}" for f in "add sub and or xor nand".split()))}
    return names | {f"__tsan_{n}" for n in
                    ("init", "func_entry", "func_exit", "ignore_thread_begin", "ignore_thread_end",
                     "vptr_update", "vptr_read", "read_range", "write_range", "memcpy", "memmove",
                     "memset", "atomic_thread_fence", "atomic_signal_fence")}


def case_abi():
    """What compilers emit, and what their own runtimes offer to programs, is there."""
    lacking = emitted() - exported(RUNTIME)
    check(not lacking, sorted(lacking))
    for library in glob.glob("/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.tsan-x86_64.so"):
        theirs = {n for n in exported(library) if n.startswith("__tsan_")}
        missing = {n for n in theirs - exported(RUNTIME) if not NOT_OURS.match(n)}
        check(len(theirs) > 100 and not missing, library, len(theirs), sorted(missing))
    libtsan = subprocess.run(["gcc", "-print-file-name=libtsan.so"], capture_output=True,
                             text=True, check=True).stdout.strip()
    if not os.path.exists(libtsan):
        print("gcc has no libtsan here")
        return SKIP
    theirs = {n for n in exported(libtsan) if re.match(r"__tsan_|Annotate|__sanitizer_|WTF", n)}
    missing = {n for n in theirs - exported(RUNTIME) if not NOT_OURS.match(n)}
    check(len(theirs) > 200 and not missing, len(theirs), sorted(missing))
    return 0


ACCESSES = """
#include <stdatomic.h>
#include <string.h>
#pragma pack(1)
struct odd { char c; short s; int i; long l; } odd;
long x; volatile int v; _Atomic int a; _Atomic long b; _Atomic char c; __int128 w;
struct big { char bytes[200]; } p, q;
long f(long n)
{
	x += n; v++; odd.s++; odd.i++; odd.l++; w += n; p = q;
	memset(&q, 0, (size_t)n); memmove(&p, &q, (size_t)n);
	atomic_fetch_add(&a, 1); atomic_exchange(&b, n); atomic_store(&c, 1);
	atomic_thread_fence(memory_order_seq_cst);
	long want = 1; atomic_compare_exchange_weak(&b, &want, 2);
	return x + v + atomic_load(&a);
}
"""


def case_clang():
    """What each clang here emits is there."""
    compilers = [c for c in ["clang", *(f"clang-{n}" for n in range(13, 22))] if shutil.which(c)]
    if not compilers:
        print("there is no clang")
        return SKIP
    have = exported(RUNTIME)
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "f.c"), os.path.join(folder, "f.o")
        with open(source, "w", encoding="utf-8") as f:
            f.write(ACCESSES)
        for compiler in compilers:
            for more in ([], ["-mllvm", "-tsan-compound-read-before-write=1"],
                         ["-mllvm", "-tsan-distinguish-volatile=1"]):
                subprocess.run([compiler, "-O1", "-fsanitize=thread", "-c", source, "-o", target,
                                *more], check=True)
                names = {n for n in undefined(target) if n.startswith("__")}
                check(names and names <= have, compiler, sorted(names - have))
    return 0


if __name__ == "__main__":
    sys.exit({name[5:]: function for name, function in globals().items()
              if name.startswith("case_")}[sys.argv[4]]() or 0)
