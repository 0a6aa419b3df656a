#!/usr/bin/env python3
"""Clients for a server under `deadheat fuzz`: for each start of the server a few connections that
set, read and change the same keys at once, and then the command that ends it.

client.py memcached|redis SOCKET: serves one server after the other until it is killed."""

import socket
import sys
import time

CONNECTIONS = 10


def connect(path):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(path)
    return s


def memcached_commands(i):
    key = f"k{i % 2}"
    return (f"set {key} 0 0 1\r\n1\r\nincr {key} 1\r\nget {key}\r\nappend {key} 0 0 1\r\n2\r\n"
            f"delete {key}\r\nstats\r\n").encode()


def redis_commands(i):
    key = f"k{i % 2}"
    return f"SET {key} 1\r\nINCR {key}\r\nGET {key}\r\nAPPEND {key} 2\r\nDEL {key}\r\n".encode()


SERVERS = {
    "memcached": (memcached_commands, b"shutdown\r\n"),
    "redis": (redis_commands, b"SHUTDOWN NOSAVE\r\n"),
}


def read_some(s):
    try:
        return s.recv(65536)
    except OSError:
        return b""


def one_server(commands, end, path):
    clients = [connect(path) for _ in range(CONNECTIONS)]
    for _ in range(2):
        for i, s in enumerate(clients):
            s.sendall(commands(i))
        for s in clients:
            read_some(s)
    clients[0].sendall(end)
    while any(read_some(s) for s in clients):
        pass
    for s in clients:
        s.close()


def main():
    commands, end = SERVERS[sys.argv[1]]
    while True:
        try:
            one_server(commands, end, sys.argv[2])
        except OSError:
            time.sleep(0.01)


if __name__ == "__main__":
    main()
