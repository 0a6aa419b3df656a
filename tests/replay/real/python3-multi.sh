#!/bin/sh
# Python with a pool of processes, queues, a signal handler and an event loop.
. "$(dirname "$0")/needs"
case $1 in
setup)
	cat >script.py <<'END'
import asyncio, multiprocessing, os, random, signal, time

def square(x):
    time.sleep(random.random() / 500)
    return x * x, os.getpid()

async def ticker(name, n):
    for i in range(n):
        await asyncio.sleep(random.random() / 200)
        print(name, i, time.monotonic_ns())

if __name__ == "__main__":
    with multiprocessing.Pool(3) as p:
        print(p.map(square, range(30)))
    hits = 0
    def on_alarm(sig, frame):
        global hits
        hits += 1
    signal.signal(signal.SIGALRM, on_alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    n = 0
    while hits < 20:
        n += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    print("interrupted 20 times, counted", n)
    async def both():
        await asyncio.gather(ticker("a", 5), ticker("b", 5))
    asyncio.run(both())
END
	;;
main) exec /usr/bin/python3 script.py ;;
check) grep -q 'interrupted 20 times' stdout ;;
esac
