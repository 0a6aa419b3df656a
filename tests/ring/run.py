#!/usr/bin/env python3
"""Records a busy program into a ring and replays what is left of it.

Usage: run.py DEADHEAT PROGRAM CASE
  tail    the ring stays small, and the replay's output is the end of the recorded output,
          whichever segment it begins with
  whole   a ring that has dropped nothing replays from the start, over its checkpoints
  killed  what a killed recorder leaves behind replays as far as it goes
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIMIT = 120
STATUS = 45


def fail(text):
    sys.exit(f"failed: {text}")


def size_of(directory):
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, names in os.walk(directory)
               for f in names)


def segments(recording):
    if not os.path.isdir(recording):
        return []
    return sorted(f for f in os.listdir(recording) if f.startswith("events."))


def record_command(deadheat, program, recording, size, rounds):
    return [deadheat, "record", "-o", recording, "--max-size", size, "--", program, str(rounds)]


def record(deadheat, program, recording, size, rounds):
    done = subprocess.run(record_command(deadheat, program, recording, size, rounds),
                          capture_output=True, timeout=LIMIT, check=False)
    if b"ptrace is not allowed" in done.stderr:
        print("skipped: ptrace is not allowed here")
        sys.exit(77)
    if done.returncode != STATUS:
        fail(f"record ended with {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def replay(deadheat, recording, status):
    done = subprocess.run([deadheat, "replay", recording], capture_output=True, timeout=LIMIT,
                          check=False)
    if done.returncode != status:
        fail(f"replay ended with {done.returncode}, not {status}: {done.stderr.decode()}")
    return done.stdout, done.stderr.decode()


def check_tail(deadheat, program, top):
    recording = os.path.join(top, "r")
    output = record(deadheat, program, recording, "4M", 1200)
    if size_of(recording) > 6 << 20:
        fail(f"the ring takes {size_of(recording)} bytes")
    if len(segments(recording)) < 2 or "events.000000" in segments(recording):
        fail(f"unexpected segments: {segments(recording)}")
    lengths = []
    while segments(recording):
        shown, messages = replay(deadheat, recording, STATUS)
        if not re.search(r"begins at event [1-9]\d*", messages):
            fail(f"replay does not say where the recording begins: {messages}")
        if not shown or not output.endswith(shown):
            fail(f"from {segments(recording)[0]} on the replay shows something else")
        lengths.append(len(shown))
        os.unlink(os.path.join(recording, segments(recording)[0]))
    if sorted(set(lengths), reverse=True) != lengths or lengths[0] >= len(output):
        fail(f"the segments should show less and less of {len(output)} bytes: {lengths}")


def check_whole(deadheat, program, top):
    recording = os.path.join(top, "r")
    output = record(deadheat, program, recording, "16M", 600)
    if len(segments(recording)) < 2 or segments(recording)[0] != "events.000000":
        fail(f"unexpected segments: {segments(recording)}")
    shown, messages = replay(deadheat, recording, STATUS)
    if shown != output or "begins at event" in messages:
        fail("the replay differs from the recording")


def check_killed(deadheat, program, top):
    recording, shown_at = os.path.join(top, "r"), os.path.join(top, "out")
    with open(shown_at, "wb") as out:
        with subprocess.Popen(record_command(deadheat, program, recording, "4M", 1000000),
                              stdout=out, stderr=subprocess.DEVNULL) as recorder:
            limit = time.monotonic() + LIMIT
            while "events.000012" not in segments(recording):
                if recorder.poll() is not None or time.monotonic() > limit:
                    recorder.kill()
                    fail("the recorder did not get far enough")
                time.sleep(0.01)
            recorder.send_signal(signal.SIGKILL)
    with open(shown_at, "rb") as f:
        output = f.read()
    # 3: the status of the program is not in the recording.
    shown, messages = replay(deadheat, recording, 3)
    if "differs" in messages or not re.search(r"begins at event [1-9]", messages):
        fail(f"replay says: {messages}")
    if not shown:
        fail("the replay shows nothing")
    if shown not in output:
        fail("the replay shows something that the program did not print")


def main():
    deadheat, program, case = sys.argv[1:]
    top = tempfile.mkdtemp(prefix="deadheat-ring-")
    try:
        {"tail": check_tail, "whole": check_whole, "killed": check_killed}[case](
            deadheat, program, top)
    finally:
        shutil.rmtree(top)


if __name__ == "__main__":
    main()
