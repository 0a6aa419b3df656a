#!/bin/sh
# How long deadheat takes to start, beside a program that does nothing.
set -eu
exec python3 - "$DEADHEAT" <<'END'
import subprocess, sys, time

def best(argv, runs=200):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(argv, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    times.sort()
    return times[len(times) // 2] * 1000

nothing, ours = best(["true"]), best([sys.argv[1], "--version"])
print(f"median of 200 runs: true {nothing:.2f} ms, deadheat --version {ours:.2f} ms, "
      f"ratio {ours / nothing:.2f}")
END
