"""The workloads of the recording benchmark.

Each one can run natively or below a prefix of words (strace, deadheat record); it returns the
seconds that count.  For servers these are the client's, which is never recorded."""

import fcntl
import os
import pty
import select
import shutil
import socket
import struct
import subprocess
import termios
import time


class Missing(Exception):
    """A program that the workload needs is not here."""


def quiet(argv, cwd, **kw):
    return subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=True, timeout=900, **kw)


class Command:
    """A command that is timed from start to end."""

    def __init__(self, name, argv, needs, setup=None, before=None, goal=None):
        self.name, self.argv, self.needs, self.goal = name, argv, needs, goal
        self.make, self.before = setup, before

    def setup(self, folder):
        for program in self.needs:
            if not shutil.which(program):
                raise Missing(f"{program} is not installed")
        if self.make:
            self.make(folder)

    def run(self, folder, prefix):
        if self.before:
            self.before(folder)
        start = time.perf_counter()
        quiet([*prefix, *self.argv], folder)
        return time.perf_counter() - start


class Terminal(Command):
    """A command on a terminal of its own; what it draws is read and dropped."""

    def run(self, folder, prefix):
        if self.before:
            self.before(folder)
        start = time.perf_counter()
        pid, master = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.environ["TERM"] = "xterm"
            os.execvp((prefix or self.argv)[0], [*prefix, *self.argv])
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        while True:
            select.select([master], [], [])
            try:
                if not os.read(master, 65536):
                    break
            except OSError:
                break
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(master)
        if status:
            raise subprocess.CalledProcessError(status, self.argv)
        return time.perf_counter() - start


class Server(Command):
    """A server that is recorded, and a native client that is timed.  The port is in the file
    port, and stands for PORT in the client's words; probe says when the server is ready."""

    probe = ["true"]

    def __init__(self, name, argv, needs, client, stop, goal=None):
        super().__init__(name, argv, needs, goal=goal)
        self.client, self.stop = client, stop

    def start(self, folder):
        """What has to be done before each start."""
        if os.path.exists(folder + "/port"):
            os.unlink(folder + "/port")

    def ready(self, folder):
        """The port, once the server listens on it."""
        try:
            with open(folder + "/port", encoding="ascii") as f:
                port = f.read().strip()
        except FileNotFoundError:
            return None
        probe = [w.replace("PORT", port) for w in self.probe]
        done = subprocess.run(probe, capture_output=True, check=False).returncode == 0
        return port if port and done else None

    def wait_for(self, folder, server):
        for _ in range(3000):
            if server.poll() is not None:
                raise subprocess.CalledProcessError(server.returncode, self.argv,
                                                    stderr=server.stderr.read())
            port = self.ready(folder)
            if port:
                return port
            time.sleep(0.01)
        raise TimeoutError(f"{self.argv[0]} does not listen")

    def run(self, folder, prefix):
        self.start(folder)
        server = subprocess.Popen([*prefix, *self.argv], cwd=folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            port = self.wait_for(folder, server)
            start = time.perf_counter()
            quiet([w.replace("PORT", port) for w in self.client], folder)
            seconds = time.perf_counter() - start
            quiet([w.replace("PORT", port) for w in self.stop], folder)
            server.wait(timeout=60)
        finally:
            if server.poll() is None:
                server.terminate()
                server.wait()
            server.stderr.close()
        return seconds


class Redis(Server):
    probe = ["sh", "-c", "redis-cli -p PORT ping | grep -q PONG"]

    def start(self, folder):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = str(s.getsockname()[1])
        with open(folder + "/port", "w", encoding="ascii") as f:
            f.write(port)
        self.argv = ["redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir",
                     folder]


def text_file(size):
    """Some compressible, not too simple bytes."""
    def make(folder):
        words = [f"{(i * 2654435761) % 99991:x}" for i in range(5000)]
        with open(folder + "/text", "w", encoding="ascii") as f:
            written, k = 0, 1
            while written < size:
                k = (k * 1103515245 + 12345) % 2**31
                written += f.write(words[k % 5000] + " ")
    return make


def sound(folder):
    import math
    import wave
    part = b"".join(
        struct.pack("<h", int(8000 * math.sin(i / 11) + 6000 * math.sin(i / 7.3 + i * i / 1e9)))
        for i in range(30 * 44100))
    with wave.open(folder + "/in.wav", "wb") as w:
        w.setnchannels(1)
        w.setsampwidth(2)
        w.setframerate(44100)
        for _ in range(8):
            w.writeframes(part)


def c_tree(folder):
    os.mkdir(folder + "/src")
    for i in range(40):
        with open(f"{folder}/src/f{i}.c", "w", encoding="ascii") as f:
            f.write("#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n"
                    f"double f{i}(double x) {{ char b[64]; snprintf(b, 64, \"%g\", x + {i}); "
                    "return sqrt(strtod(b, 0)); }\n")
    with open(folder + "/Makefile", "w", encoding="ascii") as f:
        f.write("OBJS := $(patsubst src/%.c,out/%.o,$(wildcard src/*.c))\n"
                "out/lib.a: $(OBJS)\n\tar rcs $@ $^\n"
                "out/%.o: src/%.c\n\tgcc -O1 -c -o $@ $<\n")


def clean_tree(folder):
    shutil.rmtree(folder + "/out", ignore_errors=True)
    os.mkdir(folder + "/out")


def sql(folder):
    with open(folder + "/script.sql", "w", encoding="ascii") as f:
        f.write("pragma synchronous=off; create table t(id integer primary key, v);\n")
        for i in range(5000):
            f.write(f"insert into t(v) values('value {i}');\n")
        f.write("select count(*) from t;\n")


def drop_db(folder):
    for name in ("db", "db-journal"):
        if os.path.exists(f"{folder}/{name}"):
            os.unlink(f"{folder}/{name}")


def git_script(folder):
    with open(folder + "/git.sh", "w", encoding="ascii") as f:
        f.write("set -e\nexport GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null\n"
                "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
                "GIT_COMMITTER_EMAIL=a@b\ngit init -q -b one tree\ncd tree\n"
                "for i in 1 2 3 4 5 6 7 8; do\n  mkdir -p d$i\n  for k in 1 2 3 4; do echo $i $k "
                ">d$i/f$k; done\n  git add .\n  git commit -q -m $i\ndone\n"
                "git checkout -q -b two HEAD~3\necho x >x\ngit add x\ngit commit -q -m x\n"
                "git checkout -q one\ngit merge -q -m m two\ngit log --stat >../log\n"
                "git status >>../log\ngit gc -q\ngit clone -q . ../copy\n")


def drop_git(folder):
    shutil.rmtree(folder + "/tree", ignore_errors=True)
    shutil.rmtree(folder + "/copy", ignore_errors=True)


def python_script(folder):
    with open(folder + "/script.py", "w", encoding="ascii") as f:
        f.write("import json, os, re, subprocess, tempfile\n"
                "with tempfile.TemporaryDirectory() as d:\n"
                "    for i in range(200):\n"
                "        with open(f'{d}/{i}', 'w') as f:\n"
                "            json.dump(list(range(i)), f)\n"
                "    names = sorted(os.listdir(d))\n"
                "    for name in names:\n"
                "        with open(f'{d}/{name}') as f:\n"
                "            assert re.sub(r'\\D', '', f.read()) is not None\n"
                "        os.rename(f'{d}/{name}', f'{d}/{name}.old')\n"
                "    for i in range(10):\n"
                "        subprocess.run(['cat', f'{d}/{i}.old'], stdout=subprocess.DEVNULL, check=True)\n")


def vim_script(folder):
    with open(folder + "/text", "w", encoding="ascii") as f:
        f.write("".join(f"line {i} with some words to move about\n" for i in range(2000)))
    with open(folder + "/script.vim", "w", encoding="ascii") as f:
        f.write("for i in range(1, 1500)\n  exe 'normal! ' . (1 + i % 150 * 13) . 'Gzzddp'\n  redraw\n"
                "endfor\n%s/words/letters/g\nredraw\nqall!\n")


def workloads(tcp):
    """All of them; tcp is the path of the built bench_tcp."""
    stop = [tcp, "stop", "PORT"]
    return [
        Command("start-up", ["true"], ["true"]),
        Command("bzip2", ["bzip2", "-k", "-f", "text"], ["bzip2"], text_file(24 << 20), goal=1.05),
        Command("lame", ["lame", "--quiet", "in.wav", "out.mp3"], ["lame"], sound, goal=1.05),
        Command("openssl", ["openssl", "enc", "-aes-256-cbc", "-pbkdf2", "-iter", "2500000", "-k",
                            "secret", "-in", "text", "-out", "coded"], ["openssl"],
                text_file(1000), goal=1.05),
        Command("bc", ["sh", "-c", "echo 'scale=2000; 4*a(1)' | bc -l"], ["bc"], goal=1.05),
        Command("gzip", ["gzip", "-k", "-f", "text"], ["gzip"], text_file(24 << 20)),
        Command("make -j2", ["make", "-j2"], ["make", "gcc", "ar"], c_tree, clean_tree),
        Command("300 forks", ["bash", "-c", "for ((i = 0; i < 300; i++)); do (:); done"],
                ["bash"]),
        Command("echo", ["bash", "-c", "for ((i = 0; i < 100000; i++)); do echo $i; done"],
                ["bash"]),
        Command("sqlite", ["sqlite3", "db", ".read script.sql"], ["sqlite3"], sql, drop_db,
                goal=1.5),
        Command("git", ["sh", "git.sh"], ["git"], git_script, drop_git),
        Command("python", ["/usr/bin/python3", "script.py"], ["/usr/bin/python3"], python_script),
        Terminal("vim", ["vim", "-u", "NONE", "-i", "NONE", "-n", "-S", "script.vim", "text"],
                 ["vim"], vim_script, goal=1.15),
        Redis("redis", [], ["redis-server", "redis-benchmark", "redis-cli"],
              ["redis-benchmark", "-p", "PORT", "-n", "50000", "-c", "20", "-t", "set,get", "-q"],
              ["sh", "-c", "redis-cli -p PORT shutdown nosave || true"], goal=3),
        Server("TCP stream", [tcp, "serve", "port"], [], [tcp, "stream", "PORT", str(2 << 30)],
                 stop, goal=1.15),
        Server("TCP request", [tcp, "serve", "port"], [], [tcp, "ping", "PORT", "60000"], stop,
                 goal=1.15),
    ]
