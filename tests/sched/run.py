#!/usr/bin/env python3
"""usage: run.py DRIVE RUNTIME PROGRAMS CASE
Runs programs under the scheduling runtime through the small host (drive.c) and looks at what it says
about each schedule.  PROGRAMS is the folder with the built programs and their sources below it."""
import collections
import os
import re
import subprocess
import sys

DRIVE, RUNTIME, PROGRAMS = sys.argv[1:4]
SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
STRATEGIES = ("calm", "random", "round", "pct", "pos")


class Run(dict):
    """One line of the host: what, seed, hash, points, ..., end, exit or signal, text."""

    def __init__(self, line):
        head, _, text = line.partition(" text=")
        words = head.split()
        super().__init__(word.split("=", 1) for word in words if "=" in word)
        self["what"] = words[0]
        self["text"] = text
        self["waiters"] = []
        self["candidates"] = 0

    def number(self, name):
        return int(self[name])


def drive(program, *options, arguments=(), environment=None):
    """The runs of the host, as a list."""
    command = [DRIVE, "--runtime", RUNTIME, "--wall", "60", "--quiet", *options, "--",
               os.path.join(PROGRAMS, program), *arguments]
    stand_in = os.path.join(os.path.dirname(RUNTIME), "stand-in")
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False,
                          env={**os.environ, "LD_LIBRARY_PATH": stand_in, **(environment or {})})
    runs = []
    for line in done.stdout.splitlines():
        if line.startswith("candidate "):
            runs[-1]["candidates"] += 1
        elif line.startswith("  thread "):
            runs[-1]["waiters"].append(line)
        elif "end=" in line:
            runs.append(Run(line[line.index(": ") + 2:] if line.startswith("killed") else line))
    if done.returncode != 0 or not runs:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return runs


def ends(runs):
    return collections.Counter((r["end"], r.get("exit", r.get("signal"))) for r in runs)


def check(condition, *words):
    if not condition:
        raise AssertionError(" ".join(str(w) for w in words))


def line_of(source, mark):
    """The line of the program that has this comment."""
    with open(os.path.join(SOURCES, source + ".c"), encoding="utf-8") as f:
        found = [i for i, line in enumerate(f, 1) if f"/* {mark} */" in line]
    check(len(found) == 1, source, mark, found)
    return found[0]


def statement(program, mark, function):
    """The offset behind the call of `function` on the marked line: a target statement."""
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-l",
                              os.path.join(PROGRAMS, program)],
                             capture_output=True, text=True, check=True).stdout
    line, here, pending = line_of(program, mark), False, False
    for text in listing.splitlines():
        place = re.match(r"^(\S+):(\d+)(?: \(discriminator.*\))?$", text)
        instruction = re.match(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", text)
        if place:
            here = place[1].endswith(f"/{program}.c") and int(place[2]) == line
        elif instruction and pending:
            return instruction[1]
        elif instruction:
            pending = here and instruction[2] == "call" and function in instruction[3]
    raise AssertionError(f"no call of {function} on line {line} of {program}")


# -- cases


def always_well(program, runs="20", more=()):
    """Every schedule of every strategy ends with status 0, and its log replays exactly."""
    for strategy in STRATEGIES:
        got = drive(program, "--strategy", strategy, "--depth", "3", "--runs", runs, "--replay", *more)
        check(set(ends(got)) == {("exit", "0")}, program, strategy, ends(got))
        same_replays(got, program, strategy)


def same_replays(got, *words):
    for run, replay in zip(got[::2], got[1::2]):
        check(run["what"] == "run" and replay["what"] == "replay", *words)
        for field in ("hash", "points", "switches", "end"):
            check(run[field] == replay[field], *words, field, run, replay)
        check(replay["diverged"] == "0", *words, replay)


def case_same_seed():
    got = drive("counter", "--strategy", "random", "--runs", "100", "--same")
    check(len(got) == 100 and len({r["hash"] for r in got}) == 1, ends(got))
    others = drive("counter", "--strategy", "random", "--runs", "100")
    check(len({r["hash"] for r in others}) > 90, "seeds make no difference")


def case_same_seed_tsan():
    for strategy in ("random", "pct", "pos"):
        got = drive("figure2", "--strategy", strategy, "--runs", "100", "--same",
                    "--flags", "1", arguments=["20"])
        check(len(got) == 100 and len({r["hash"] for r in got}) == 1, strategy)


def case_deadlock():
    got = drive("abba", "--strategy", "random", "--runs", "60", "--replay")
    same_replays(got, "abba")
    dead = [r for r in got if r["end"] == "deadlock"]
    check(dead and len(dead) < len(got), ends(got))
    for r in dead:
        check(sum(" cycle" in w for w in r["waiters"]) == 2, r)
    check(set(ends(drive("abba", "--strategy", "calm"))) == {("exit", "0")})


def case_deadlock_directed():
    outer = [statement("abba", f"inner {n}", "pthread_mutex_lock") for n in ("one", "two")]
    got = drive("abba", "--strategy", "deadlock", "--runs", "40",
                *sum((["--target", "lock:" + pc] for pc in outer), []))
    check(ends(got)["deadlock", "117"] >= 36, ends(got))


def case_stuck():
    got = drive("lostwake", "--strategy", "random", "--runs", "30", "--replay")
    same_replays(got, "lostwake")
    check({r["end"] for r in got} == {"stuck", "exit"}, ends(got))


def case_good():
    for program in ("bounded", "locks", "meet", "c11", "timed", "ends"):
        always_well(program)
    always_well("bounded", more=("--flags", "4"))


def case_io():
    always_well("pipes")
    always_well("cancel")


def case_fork():
    """When a child is done is real time: schedules need not be the same, but all end well."""
    for strategy in STRATEGIES:
        got = drive("forks", "--strategy", strategy, "--runs", "5", "--replay")
        check(set(ends(got)) == {("exit", "0")}, strategy, ends(got))


def case_signals():
    for strategy in ("calm", "random"):
        got = drive("signals", "--strategy", strategy, "--runs", "3")
        check(set(ends(got)) == {("exit", "0")}, ends(got))


def case_sleep_orders_nothing():
    check(set(ends(drive("sleepy", "--strategy", "calm", "--runs", "5"))) == {("exit", "0")})
    got = drive("sleepy", "--strategy", "random", "--runs", "40", "--replay")
    same_replays(got, "sleepy")
    check(ends(got)["exit", "1"] >= 10 and ends(got)["exit", "0"] >= 10, ends(got))


def case_crash():
    expected = {"assert": ("assert", "6"), "abort": ("signal", "6"), "segv": ("signal", "11"),
                "overflow": ("overflow", "11"), "thread-overflow": ("overflow", "11"),
                "exit": ("exit", "5"), "self": ("deadlock", "117"), "barrier": ("stuck", "117"),
                "forever": ("livelock", "117"), "holds": ("fail", "117"), "free": ("exit", "4")}
    for how, end in expected.items():
        got = drive("crash", "--strategy", "random", "--limit", "50000", arguments=[how])
        check(ends(got) == {end: 1}, how, ends(got))
    check("argc == 7" in drive("crash", arguments=["assert"])[0]["text"])


def case_many_threads():
    got = drive("many", "--strategy", "random", "--same", "--runs", "2")
    check(ends(got) == {("exit", "0"): 2} and got[0]["hash"] == got[1]["hash"], ends(got))
    check(got[0].number("threads") == 2001, got[0])


def case_unfriendly():
    for how, end in {"closes": ("exit", "0"), "waits": ("stuck", "117")}.items():
        got = drive("gone", "--strategy", "random", "--runs", "3", "--wall", "1", arguments=[how])
        check(set(ends(got)) in ({end}, {("none", "9")}), how, ends(got))
    got = drive("gone", "--strategy", "random", "--runs", "2", arguments=["execs"])
    check({r["exit"] for r in got} == {"9"}, ends(got))
    for program, status in (("counter", "0"), ("early", "3")):
        got = drive(program, "--strategy", "random", "--direct")
        check(ends(got) == {("exit", status): 1}, program, ends(got))


def case_spin():
    for how in ("atomic", "plain", "yield", "time", "rmw"):
        for strategy in STRATEGIES:
            got = drive("spin", "--strategy", strategy, "--runs", "3", "--replay", "--depth", "2",
                        "--limit", "3000000", "--budget", "2000", arguments=[how])
            check(set(ends(got)) == {("exit", "0")}, how, strategy, ends(got))
            same_replays(got, how, strategy)
    for strategy in STRATEGIES:
        got = drive("spin", "--strategy", strategy, arguments=["never"])
        check(set(ends(got)) == {("livelock", "117")}, strategy, ends(got))


def race(program, marks, runs, arguments=()):
    pcs = [statement(program, mark, function) for mark, function in marks]
    return drive(program, "--strategy", "race", "--runs", str(runs),
                 *sum((["--target", "race:" + pc] for pc in pcs), []), arguments=arguments)


def case_figure1():
    got = race("figure1", [("statement 5", "__tsan_read4"), ("statement 7", "__tsan_write4")], 100)
    check(all(r.number("hits") > 0 for r in got), "statements 5 and 7 were not brought together")
    check({r["exit"] for r in got} == {"0", "1"}, ends(got))
    got = race("figure1", [("statement 1", "__tsan_write4"), ("statement 10", "__tsan_read4")], 100)
    check(all(r["hits"] == "0" for r in got), "statements 1 and 10 cannot race")


def case_figure2():
    marks = [("statement 8", "__tsan_read4"), ("statement 10", "__tsan_write4")]
    for n in ("10", "1000", "100000"):
        got = race("figure2", marks, 100, [n])
        check(all(r.number("hits") > 0 for r in got), n, "not always created")
        check(30 <= ends(got)["exit", "1"] <= 70, n, ends(got))


def case_race_replays():
    marks = [("statement 8", "__tsan_read4"), ("statement 10", "__tsan_write4")]
    pcs = [statement("figure2", mark, function) for mark, function in marks]
    got = drive("figure2", "--strategy", "race", "--runs", "20", "--replay",
                *sum((["--target", "race:" + pc] for pc in pcs), []))
    same_replays(got, "figure2")
    check([r.get("exit") for r in got[::2]] == [r.get("exit") for r in got[1::2]], ends(got))


def case_hot_loops():
    """Accesses of hot loops are taken out: targets among them stay, waiting ends, runs repeat."""
    for strategy in ("calm", "random", "pct"):
        got = drive("hot", "--strategy", strategy, "--runs", "3", "--replay", "--depth", "2")
        check(set(ends(got)) == {("exit", "0")}, strategy, ends(got))
        same_replays(got, "hot", strategy)
        check(all(r.number("points") < 20000 for r in got), strategy, got[0])
    read, write = (statement("hot", "shared", f) for f in ("__tsan_read8", "__tsan_write8"))
    got = drive("hot", "--strategy", "race", "--runs", "5", "--target", "race:" + read,
                "--target", "race:" + write)
    check(all(r.number("hits") > 0 for r in got), ends(got))


def case_patient():
    """A calm run shows how long threads look at a flag before they block; others get that long."""
    got = drive("patient", "--strategy", "calm", "--runs", "1")
    check(set(ends(got)) == {("exit", "0")}, ends(got))
    idle = got[0].number("idle")
    check(idle >= 1000000, idle)
    for strategy in ("random", "pct"):
        got = drive("patient", "--strategy", strategy, "--runs", "1", "--idle", str(20 * idle))
        check(set(ends(got)) == {("exit", "0")}, strategy, ends(got))
        got = drive("patient", "--strategy", strategy, "--runs", "1")
        check(set(ends(got)) == {("livelock", "117")}, strategy, ends(got))


def case_ticks():
    """Timers go off in logical time, and schedules with them repeat."""
    always_well("ticks", runs="3")


def case_handed_over():
    for arguments, candidates in ([], False), (["racy"], True):
        got = drive("handoff", "--strategy", "random", "--runs", "10", "--predict", "--detect", "61",
                    arguments=arguments)
        check(any(r["candidates"] for r in got) == candidates, arguments, got)


def skip(why):
    print(why)
    sys.exit(77)


def case_cxx():
    if not os.path.exists(os.path.join(PROGRAMS, "cxx")):
        skip("no C++ compiler")
    always_well("cxx")


def case_real_programs():
    """Programs that are not instrumented at all: their locks and pipes are scheduled, and repeat."""
    programs = [("/usr/bin/xz", ["-1", "-T4", "--block-size=20000", "-k", "-c", DRIVE]),
                ("/usr/bin/python3", ["-c", "import threading as t; n = [t.Thread(target=print) "
                                            "for i in range(4)]; [x.start() for x in n]; "
                                            "[x.join() for x in n]"])]
    programs = [(p, a) for p, a in programs if os.path.exists(p)]
    if not programs:
        skip("neither xz nor python3 is there")
    for program, arguments in programs:
        got = drive(program, "--strategy", "random", "--runs", "3", "--same", arguments=arguments)
        check(set(ends(got)) == {("exit", "0")}, program, ends(got))
        check(len({r["hash"] for r in got}) == 1 and got[0].number("threads") > 2, program, got[0])


def case_atomicity():
    first = statement("directed", "first", "__tsan_read4")
    second = statement("directed", "second", "pthread_mutex_lock")
    got = drive("directed", "--strategy", "atomicity", "--runs", "40", "--target", "first:" + first,
                "--target", "second:" + second, "--target", "remote:" + second)
    check(ends(got)["exit", "1"] >= 30, ends(got))


def case_test_lock():
    """Statements of a loop that waits may be targets: the owner of the lock gets on all the same."""
    take = statement("testlock", "take", "__tsan_atomic32_exchange")
    look = statement("testlock", "look", "__tsan_atomic32_load")
    go = statement("testlock", "let go", "__tsan_atomic32_store")
    for strategy, roles in (("atomicity", {"first": take, "second": look, "remote": take}),
                            ("atomicity", {"first": take, "second": go, "remote": look}),
                            ("order", {"first": go, "second": look}),
                            ("race", {"race": look})):
        targets = sum((["--target", f"{role}:{pc}"] for role, pc in roles.items()), [])
        got = drive("testlock", "--strategy", strategy, "--runs", "10", "--replay", *targets)
        check(set(ends(got)) == {("exit", "0")}, strategy, roles, ends(got))
        same_replays(got, strategy, roles)


def case_order():
    use = statement("directed", "use", "__tsan_read4")
    drop = statement("directed", "drop", "__tsan_write4")
    got = drive("directed", "--strategy", "order", "--runs", "40", "--target", "first:" + use,
                "--target", "second:" + drop, arguments=["order"])
    check(ends(got)["exit", "1"] == 40, ends(got))


def case_steady():
    """Between the statements of the suspect nobody is preempted, and it comes about all the same."""
    use = statement("directed", "use", "__tsan_read4")
    drop = statement("directed", "drop", "__tsan_write4")
    targets = ["--target", "first:" + use, "--target", "second:" + drop]
    most = {}
    for flags in ("0", "16"):
        got = drive("directed", "--strategy", "order", "--runs", "20", "--flags", flags, "--replay",
                    *targets, arguments=["order"])
        check(set(ends(got)) == {("exit", "1")}, flags, ends(got))
        same_replays(got, flags)
        most[flags] = max(r.number("preemptions") for r in got)
    check(most["16"] < most["0"], most)


def main():
    cases = {name[5:].replace("_", "-"): f for name, f in globals().items()
             if name.startswith("case_")}
    if sys.argv[4:] == []:
        print("\n".join(cases))
        return 0
    cases[sys.argv[4]]()
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
