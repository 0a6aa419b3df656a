# doctor: what it says differs from machine to machine, so only its shape is looked at.
$ deadheat doctor | grep -cvE '^(works|degraded|missing)   *[a-zA-Z]|^          mend: |^$|^[0-9]+ work, '
0
? 1
$ deadheat doctor | sed -n 's/^\(works\|degraded\|missing\)  *//p' | cut -c1-27 | sed 's/ *$//'
ptrace
process memory
seccomp filters
address randomisation off
vector registers
rdtsc trapping
cpuid trapping
written pages (scan)
written pages (soft-dirty)
hardware breakpoints
hardware breakpoints (perf)
user namespaces
mount namespaces
process namespaces
choosing process ids
overlay file systems
performance events
processor's counters
precise sampling
eBPF
core files
gcc, thread hooks
clang, thread hooks
clang/LLVM bitcode
gdb
debug symbols
$ deadheat doctor --json | python3 -c 'if 1: \
	import json, sys; \
	d = json.load(sys.stdin); \
	print(d["schema"], d["tool"]["name"], sorted(d)); \
	print(sorted(set(k for c in d["capabilities"] for k in c))); \
	print(sorted(set(type(c["mend"]).__name__ for c in d["capabilities"] if c["state"] == "works"))); \
	print(sum(d["summary"].values()) == len(d["capabilities"]))'
deadheat-doctor/1 deadheat ['capabilities', 'ready', 'schema', 'summary', 'tool']
['basic', 'commands', 'detail', 'id', 'mend', 'seconds', 'state', 'title']
['NoneType']
True
$ deadheat doctor --jsno
! deadheat: error: unknown option '--jsno'; did you mean '--json'? (deadheat doctor --help)
? 2
$ deadheat doctor now
! deadheat: error: doctor takes no operand: 'now'
? 2
$ deadheat doctor --help
Usage: deadheat doctor [--json]
|
Tries out what Deadheat may need of this machine and says what works.
|
Each capability works, is degraded (some of it is there), or is missing; the commands
that it touches stand beside it, and below it what to do about it.
|
Exit status: 0 when recording and replaying can run here, 3 when they cannot.
|
Options:
      --json              print JSON (schema deadheat-doctor/1)
  -h, --help              show this
|
See also: man deadheat-doctor
# Output that cannot be written is not a success.
$ deadheat doctor --help >/dev/full
! deadheat: error: cannot write the output: No space left on device
? 3
