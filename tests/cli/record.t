# Recording and replaying: what a user who makes a mistake meets.
% needs deadheat doctor

# Usage.
$ deadheat record
! deadheat: error: which program? (deadheat record -- PROGRAM)
? 2
$ deadheat record --
! deadheat: error: which program? (deadheat record -- PROGRAM)
? 2
$ deadheat record --chaso 1 -- true
! deadheat: error: unknown option '--chaso'; did you mean '--chaos'? (deadheat record --help)
? 2
$ deadheat record --chaos -- true
! deadheat: error: --chaos: '--' is not a number
? 2
$ deadheat record --chaos lots -- true
! deadheat: error: --chaos: 'lots' is not a number
? 2
$ deadheat record --max-size 12q -- true
! deadheat: error: --max-size: '12q' is not a number
? 2
$ deadheat replay one two
! deadheat: error: one recording at a time, but 'two' is another (deadheat replay --help)
? 2
$ deadheat replay --until soon
! deadheat: error: --until: 'soon' is not a number
? 2
$ deadheat replay --pid 1
! deadheat: error: --pid is for --gdb
? 2

# Programs that cannot be run leave nothing behind.
$ deadheat record -- /nonexistent
! deadheat: error: cannot run '/nonexistent': no such program
? 3
$ deadheat record -- no-such-program --its-option
! deadheat: error: cannot run 'no-such-program': no such program
? 3
$ deadheat record -o out -- /etc/passwd
! deadheat: error: cannot run '/etc/passwd': the file is not executable ('chmod +x', or name the program that reads it first)
? 3
$ echo 'not a program' >text; chmod +x text; deadheat record -- ./text
! deadheat: error: cannot run './text': Exec format error
? 3
$ ls .deadheat/recordings out
.deadheat/recordings:
! ls: cannot access 'out': No such file or directory
? 2

# Places for a recording that are none.
$ mkdir full; touch full/mine; deadheat record -o full -- true
! deadheat: error: full: not empty; choose another directory for the recording
? 3
$ ls full
mine
$ deadheat record -o text -- true
! deadheat: error: text: not a directory
? 3
$ deadheat record -o /proc/recording -- true
! deadheat: error: /proc/recording: No such file or directory
? 3
$ deadheat record --max-size 10k -o small -- true
! deadheat: error: a recording cannot be limited to less than 1M
? 3

# Nothing to replay.
$ deadheat replay
! deadheat: error: no recording in .deadheat/recordings: make one with 'deadheat record -- PROGRAM' or name its directory
? 3
$ deadheat replay nope
! deadheat: error: nope: no recording there, and none of that name in .deadheat/recordings
? 3
$ deadheat replay full
! deadheat: error: full: no recording there (full/meta.json is missing)
? 3
$ deadheat replay text
! deadheat: error: text: no recording there, and none of that name in .deadheat/recordings
? 3

# Exit status and output are the program's own, again and again.
$ deadheat record -o a -- sh -c 'echo out; echo err >&2; exit 7' 2>log
out
? 7
$ sed 's/[0-9]* events/N events/' log
err
deadheat: recorded N events of 1 process in a
deadheat: run it again: deadheat replay a
$ deadheat replay a
out
! err
? 7
$ deadheat replay a 2>&1 >/dev/null
err
? 7
$ deadheat -q record -o b -- sh -c 'kill -SEGV $$'
? 139
$ deadheat replay b
! deadheat: the program was killed: Segmentation fault
? 139
$ deadheat record -- true 2>&1 | sed 's/[0-9]* events/N events/'
deadheat: recorded N events of 1 process in .deadheat/recordings/true-1
deadheat: run it again: deadheat replay .deadheat/recordings/true-1
$ deadheat replay
$ readlink .deadheat/recordings/latest
true-1
$ deadheat replay true-1

# No side effects: what the recorded program did to its files is not done again.
$ deadheat -q record -o c -- sh -c 'echo line >>made; cat made'
line
$ rm made; deadheat replay c; ls made
line
! ls: cannot access 'made': No such file or directory
? 2
$ deadheat replay --until 3 c
! deadheat: stopped before event 3

# The program may be gone, and the files that it mapped may have changed.
$ cp "/bin/echo" mine; deadheat -q record -o d -- ./mine hello
hello
$ rm mine; deadheat replay d
hello

# Looking instead of running.
$ deadheat replay --dump a | awk '$3 == "exit" || $4 == "write"' | cut -d ' ' -f 9-
  1 syscall  write = 4
  1 syscall  write = 4
  1 exit     task status 0x700
  1 exit     process status 0x700
$ deadheat replay --verify b 2>&1 | sed 's/all [0-9]*/all N/'
deadheat: the program was killed: Segmentation fault
deadheat: verified: registers and output were the same at all N events, the whole memory at 0 points
$ deadheat replay --ps a | awk '{ print $2, $3, $5, $6, $7, $8 }'
PPID STATUS COMMAND
- 7 sh -c echo out;

# Recordings that are damaged, cut or not whole.
$ rm -rf x; cp -r a x; printf XX | dd of=x/events.000000 bs=1 seek=100 conv=notrunc status=none; deadheat replay x
! deadheat: error: x/events.000000: damaged at offset 56: the checksum is wrong
? 3
$ deadheat replay --dump x
! deadheat: error: x/events.000000: damaged at offset 56: the checksum is wrong
? 3
$ rm -rf x; cp -r a x; printf XXXX | dd of=x/events.000000 bs=1 conv=notrunc status=none; deadheat replay x
! deadheat: error: x/events.000000: damaged at offset 0: no block begins here
? 3
$ rm -rf x; cp -r a x; truncate -s 100 x/events.000000; deadheat replay x
! deadheat: error: the recording is cut off after 0 events: the recorder was killed or its disk was full
? 3
$ deadheat replay --dump x
! deadheat: error: the recording is cut off after 0 events: the recorder was killed or its disk was full
? 3
$ deadheat replay --ps x
PID      PPID     STATUS   EVENTS            COMMAND
! deadheat: error: the recording is cut off after 0 events: the recorder was killed or its disk was full
? 3
$ rm -rf x; cp -r a x; truncate -s 0 x/events.000000; deadheat replay x
! deadheat: error: the recording is cut off after 0 events: the recorder was killed or its disk was full
? 3
$ rm -rf x; cp -r a x; rm x/events.000000; deadheat replay x
! deadheat: error: x: the recording has no events files
? 3
$ rm -rf x; cp -r a x; rm x/meta.json; deadheat replay x
! deadheat: error: x: no recording there (x/meta.json is missing)
? 3
$ rm -rf x; cp -r a x; echo '{' >x/meta.json; deadheat replay x
! deadheat: error: x/meta.json:2: damaged: string or '}' expected near end of file
? 3
$ rm -rf x; cp -r a x; sed -i 's/"tool_version": "/&9/' x/meta.json; deadheat replay x
! deadheat: error: x/meta.json: damaged (the checksum is wrong)
? 3
$ rm -rf x; cp -r a x; sed -i 's/"format": [0-9]*/"format": 77/' x/meta.json; deadheat replay x 2>&1 | sed 's/deadheat [0-9.]*/deadheat V/g; s/reads format [0-9]*/reads format N/'
deadheat: error: x/meta.json: recorded in format 77 by deadheat V; this is deadheat V, which reads format N: replay with the version that recorded
$ rm -rf x; cp -r d x; rm x/files/*; deadheat replay x 2>&1 | sed 's/[0-9a-f]\{32\}/HASH/'
deadheat: error: TMP/mine: x/files/HASH: missing from the recording
$ rm -rf x; cp -r d x; for f in x/files/*; do printf XXXX | dd of=$f bs=1 seek=90 conv=notrunc status=none; done; deadheat replay x 2>&1 | sed 's/[0-9a-f]\{32\}/HASH/'
deadheat: error: TMP/mine: x/files/HASH: damaged (the content does not match its name)

# What no recorder sees shows at the latest when the program says it: here a file that is mapped and
# changes under the program.
$ printf '%s\n' 'import mmap, os, time' 'fd = os.open("shared", os.O_RDONLY)' 'm = mmap.mmap(fd, 6, prot=mmap.PROT_READ)' 'open("ready", "w")' 'while os.pread(fd, 6, 0) == b"before": time.sleep(0.01)' 'os.write(1, m[:6] + b"\n")' >shared.py
$ printf before >shared; (until [ -e ready ]; do sleep 0.01; done; printf 'after!' | dd of=shared conv=notrunc status=none) & deadheat -q record -o e -- python3 -I -S shared.py; wait
after!
$ deadheat replay e 2>&1 | sed 's/[0-9][0-9]*/N/g'
deadheat: error: the replay differs from the recording at event N (syscall): process N, thread N made system call write with other data
$ deadheat replay e 2>/dev/null
? 3

# Which signals are ignored is part of the recording, not of where it is replayed.
$ deadheat -q record -o i -- bash -c 'kill -INT $$; echo not here'
? 130
$ (trap '' INT QUIT HUP; deadheat -q replay i)
? 130
$ (trap '' HUP; deadheat -q record -o h -- bash -c 'kill -HUP $$; echo still here')
still here
$ deadheat replay h
still here

# The dynamic linker saves vector state exactly while it is recorded (isa/steady.h).
$ printf '%s\n' 'import re' 'for line in open("/proc/self/maps"):' '    f = line.split()' '    if f[1] == "r-xp" and "/ld-linux" in f[-1]:' '        a, b = (int(x, 16) for x in f[0].split("-"))' '        m = open("/proc/self/mem", "rb")' '        m.seek(a)' '        print("some" if re.search(rb"\x0f[\xc7\xae]\x64\x24", m.read(b - a)) else "none")' >saves.py
$ python3 saves.py
some
$ deadheat -q record -o s -- python3 -I -S saves.py
none
$ deadheat replay s
none
