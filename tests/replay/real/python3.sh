#!/bin/sh
# Python: hash randomisation, threads, subprocesses, sockets, temporary files, random numbers.
. "$(dirname "$0")/needs"
case $1 in
setup)
	cat >script.py <<'END'
import hashlib, json, os, random, socket, subprocess, tempfile, threading, time, uuid

print(set("hash randomisation"), hash("x"), uuid.uuid4())
print(random.random(), time.time(), os.getpid())
seen = []
def work(i):
    for k in range(50):
        seen.append(i)
        if k % 10 == 0:
            time.sleep(random.random() / 2000)
ts = [threading.Thread(target=work, args=(i,)) for i in range(4)]
[t.start() for t in ts]
[t.join() for t in ts]
print("".join(map(str, seen)))
print(subprocess.run(["sh", "-c", "echo $$; date +%N"], capture_output=True, text=True).stdout)
a = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(a.getsockname())
s, peer = a.accept()
c.sendall(os.urandom(1000)); print(peer, hashlib.sha256(s.recv(4000)).hexdigest())
with tempfile.NamedTemporaryFile("w+") as f:
    json.dump({str(i): random.randint(0, 99) for i in range(20)}, f)
    f.flush(); print(f.name, os.stat(f.name).st_size)
print(sum(i * i for i in range(200000)))
END
	;;
main) exec /usr/bin/python3 script.py ;;
check) grep -q 2666646666700000 stdout ;;
esac
