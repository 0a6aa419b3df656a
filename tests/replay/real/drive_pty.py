#!/usr/bin/env python3
"""usage: drive_pty.py STEP... -- PROGRAM [ARG]...
Runs a program on a terminal of its own and types at it.  A STEP is WAIT=KEYS: once the program has
been silent for WAIT milliseconds, KEYS are typed (with Python's escapes).  What the program draws
goes to standard output; the status is the program's."""
import ast
import fcntl
import os
import pty
import select
import struct
import sys
import termios


def pump(master, patience):
    """Copies output until the program is silent for so long.  False at its end."""
    while True:
        ready, _, _ = select.select([master], [], [], patience)
        if not ready:
            return True
        try:
            data = os.read(master, 65536)
        except OSError:
            data = b""
        if not data:
            return False
        os.write(1, data)


def main():
    cut = sys.argv.index("--")
    steps = [s.split("=", 1) for s in sys.argv[1:cut]]
    pid, master = pty.fork()
    if pid == 0:
        os.execvp(sys.argv[cut + 1], sys.argv[cut + 1:])
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    for wait, keys in steps:
        if not pump(master, int(wait) / 1000):
            break
        os.write(master, ast.literal_eval(f"b'{keys}'"))
    while pump(master, 1.0):
        pass
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
