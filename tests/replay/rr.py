"""What the runners of the replay suite share: running a command to its end, recording it,
replaying it, and saying in one line where two executions differ.

Every runner makes itself the reaper of orphans, so that whatever a program leaves running is
found among its own descendants, reported and ended; nothing else is ever touched."""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HANG = "hang"  # how a failure begins that may be a matter of time
SKIP = 77  # the status by which a test says that it could not run here
STDIN = "".join(f"line {i} {os.urandom(4).hex()}\n" for i in range(40)).encode()

PR_SET_CHILD_SUBREAPER = 36
PTRACE_TRACEME = 0
libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """A program, a recording or a replay is not what it should be."""


class Outcome:
    """How an execution ended and what it wrote."""

    def __init__(self, status, out, err, seconds):
        # A shell's convention for both ways of reporting a death by signal.
        self.status = 128 - status if status < 0 else status
        self.out = out
        self.err = err
        self.seconds = seconds


def become_reaper():
    """Orphans come to this process; when it is told to stop, it cleans up first.  What a shell
    ignores on behalf of its background jobs, the programs below do not."""
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for sig in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(sig) == signal.SIG_IGN:
            signal.signal(sig, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda sig, frame: sys.exit(128 + sig))


def descendants():
    """The ids of all living processes below this one (zombies do not count)."""
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as f:
                fields = f.read().rsplit(b")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if fields[0] not in (b"Z", b"X"):
            children.setdefault(int(fields[1]), []).append(int(name))
    found, todo = [], [os.getpid()]
    while todo:
        for pid in children.get(todo.pop(), []):
            found.append(pid)
            todo.append(pid)
    return found


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def end_descendants(patience=0.0):
    """Kills what is left below this process; how many there were.  What is already on its way
    out is given that many seconds to be gone."""
    limit = time.monotonic() + patience
    while time.monotonic() < limit and descendants():
        time.sleep(0.01)
    reap()
    count = 0
    while True:
        left = descendants()
        if not left:
            break
        count = max(count, len(left))
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
        reap()
    return count


def execute(what, argv, cwd, env, timeout, stdin=b""):
    """Runs to the end of the output of the whole tree.  Raises Failure on a hang."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as feed:
        feed.write(stdin)
        feed.seek(0)
        p = subprocess.Popen(argv, cwd=cwd, env=env, stdin=feed, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = p.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        end_descendants()
        out, err = p.communicate()
        tail = (out[-80:] + err[-160:]).decode(errors="replace").replace("\n", "\\n")
        raise Failure(f"{HANG}, {what} ended after {timeout} s; last output: {tail!r}") from None
    seconds = time.monotonic() - start
    return Outcome(p.returncode, out, err, seconds)


def first_difference(want, got):
    """One line about where two outputs part, or None."""
    if want == got:
        return None
    a, b = want.split(b"\n"), got.split(b"\n")
    for i in range(max(len(a), len(b))):
        x = a[i] if i < len(a) else None
        y = b[i] if i < len(b) else None
        if x != y:
            show = lambda s: "nothing" if s is None else repr(s[:160].decode(errors="replace"))
            return f"line {i + 1}: recorded {show(x)}, replayed {show(y)}"
    return "different length"


def compare(recorded, replayed, what):
    if recorded.status != replayed.status:
        tail = replayed.err[-300:].decode(errors="replace").strip().replace("\n", " | ")
        raise Failure(f"{what}: status {recorded.status} recorded, {replayed.status} replayed; "
                      f"stderr: {tail}")
    for name in ("out", "err"):
        diff = first_difference(getattr(recorded, name), getattr(replayed, name))
        if diff:
            raise Failure(f"{what}: std{name} {diff}")


class Scratch:
    """The directories of one case: where the program runs, where its replay runs, and between
    them the recording.  The replay's own directory and environment are others on purpose."""

    def __init__(self, base=None):
        self.top = tempfile.mkdtemp(prefix="deadheat-replay.", dir=base)
        self.work, self.away = self.top + "/work", self.top + "/away"
        self.trace = self.top + "/trace"
        os.mkdir(self.work)
        os.mkdir(self.away)

    def env(self, tmpdir, **extra):
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C",
               "HOME": self.work, "TMPDIR": tmpdir, "TERM": "xterm"}
        env.update(extra)
        return env

    def snapshot(self, top):
        seen = {}
        for root, dirs, files in os.walk(top):
            for name in dirs + files:
                st = os.lstat(os.path.join(root, name))
                seen[os.path.join(root, name)] = (st.st_ino, st.st_size, st.st_mtime_ns)
        return seen

    def fresh(self):
        for d in (self.work, self.away, self.trace):
            shutil.rmtree(d, ignore_errors=True)
        os.mkdir(self.work)
        os.mkdir(self.away)

    def remove(self):
        shutil.rmtree(self.top, ignore_errors=True)


class Deadheat:
    """The tool under test."""

    def __init__(self, path, timeout=60):
        self.path = os.path.abspath(path)
        self.timeout = timeout

    def record(self, scratch, argv, options=(), stdin=STDIN, cwd=None, env=None, timeout=None):
        shutil.rmtree(scratch.trace, ignore_errors=True)
        command = [self.path, "-q", "record", "-o", scratch.trace, *options, "--", *argv]
        got = execute("record", command, cwd or scratch.work, env or scratch.env(scratch.work),
                      timeout or self.timeout, stdin)
        # Where record notes which recording is the latest.
        shutil.rmtree(os.path.join(cwd or scratch.work, ".deadheat"), ignore_errors=True)
        return got

    def replay(self, scratch, options=(), timeout=None):
        """Replays elsewhere; fails if that left a trace in either directory."""
        before = scratch.snapshot(scratch.work), scratch.snapshot(scratch.away)
        what = " ".join(["replay", *options])
        got = execute(what, [self.path, "-q", "replay", *options, scratch.trace], scratch.away,
                      scratch.env(scratch.away, ELSEWHERE="1"), timeout or self.timeout)
        after = scratch.snapshot(scratch.work), scratch.snapshot(scratch.away)
        if before != after:
            touched = set(before[0].items() | before[1].items()) ^ \
                set(after[0].items() | after[1].items())
            raise Failure(f"the replay changed files: {sorted(p for p, _ in touched)[:3]}")
        return got


def known_failures():
    """{name: why}, of what is known not to work yet: programs, and real/NAME."""
    with open(os.path.join(HERE, "known.txt"), encoding="utf-8") as f:
        lines = [line.split(None, 1) for line in f if line.strip() and line[0] != "#"]
    return {name: why.strip() for name, why in lines}


def can_trace():
    """Whether this machine lets a process be traced at all."""
    pid = os.fork()
    if pid == 0:
        os._exit(0 if libc.ptrace(PTRACE_TRACEME, 0, None, None) == 0 else 1)
    return os.waitpid(pid, 0)[1] == 0


def why_not(deadheat):
    """A reason for which nothing can be recorded here, or None."""
    if not can_trace():
        return "this machine does not let a process trace another (ptrace is refused)"
    r = subprocess.run([deadheat, "record", "--help"], stdin=subprocess.DEVNULL,
                       capture_output=True, check=False)
    if r.returncode == 2 and re.search(rb"unknown command", r.stderr):
        return f"{deadheat} has no command 'record'"
    return None


def skip(reason):
    print(f"SKIP: {reason}")
    sys.exit(SKIP)
