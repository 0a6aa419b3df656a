# deadheat fuzz and deadheat cc: what a user meets first, and what one who makes a mistake meets.
% needs deadheat cc --version

# Usage.
$ deadheat fuzz
! deadheat: error: which program? (deadheat fuzz -- PROGRAM)
? 2
$ deadheat fuzz --seed 3 -- true
! deadheat: error: unknown option '--seed'; did you mean '--seeds'? (deadheat fuzz --help)
? 2
$ deadheat fuzz --strategy luck -- true
! deadheat: error: --strategy: unknown value 'luck'; did you mean 'portfolio'?
? 2
$ deadheat fuzz --seeds 0 -- true
! deadheat: error: --seeds: at least 1
? 2
$ deadheat fuzz --gdb -- true
! deadheat: error: --gdb is for --replay
? 2
$ deadheat fuzz --replay 1234 --from-store
! deadheat: error: --replay and --from-store exclude each other
? 2
$ deadheat fuzz --timeout 0s -- true
! deadheat: error: --timeout: more than 0
? 2

# Programs that cannot be fuzzed.
$ deadheat fuzz -- ./nothing
! deadheat: error: cannot run './nothing': no such program
? 3
$ deadheat fuzz -- /etc/passwd
! deadheat: error: cannot run '/etc/passwd': it is not executable
? 3
$ echo 'not a program' >text; chmod +x text; deadheat fuzz -- ./text
! deadheat: error: TMP/text is not a program
? 3
$ echo 'int main(void) { return 0; }' >empty.c; gcc empty.c -o plain; deadheat fuzz -- ./plain
! deadheat: error: TMP/plain was not built for fuzzing: its memory accesses cannot be seen; build it with 'deadheat cc' in place of the compiler (CC="deadheat cc" make), or with gcc -fsanitize=thread; or try --binary, which sees its synchronisation only
? 3
$ gcc -static empty.c -o static; deadheat fuzz -- ./static
! deadheat: error: TMP/static is linked statically: no runtime can be put in front of its libc; build it without -static, with 'deadheat cc' as the compiler
? 3
$ printf '#!/bin/sh\nexec ./plain\n' >script; chmod +x script; deadheat fuzz -- ./script
! deadheat: error: ./script never loaded deadheat's runtime: it was not built with 'deadheat cc' nor with gcc -fsanitize=thread
? 3
$ deadheat cc empty.c -o one && deadheat fuzz -- ./one 2>&1 | sed 's/in .* s:/in N s:/'
deadheat: warning: the program never had a second thread: there is nothing to schedule
deadheat: 1 schedule in N s: nothing was found
$ echo 'int main(void) { for (;;) ; }' >loop.c; deadheat cc loop.c -o loop; deadheat fuzz --timeout 500ms -- ./loop
! deadheat: error: ./loop did not end by itself within N s, and fuzzing needs runs that end: give it input or arguments with which it does, or a longer --timeout
? 3

# The compiler.
$ deadheat cc -static empty.c
! deadheat: error: cannot link with -static: the scheduler is a shared library that stands before libc; leave -static out of this build
? 2
$ deadheat cc -fsanitize=address empty.c
! deadheat: error: -fsanitize=address does not go together with deadheat's runtime; leave it out of this build
? 2
$ deadheat cc --compiler=no-such-compiler empty.c
! deadheat: error: there is no compiler 'no-such-compiler'; set DEADHEAT_CC
? 3
$ deadheat cc none.c 2>&1 | grep -c none.c
1

# A program with a race: found, proved, stored, run again.
$ cp "$SOURCE/examples/lost_update.c" "$SOURCE/examples/lost_update_fixed.c" .
$ deadheat cc -O1 lost_update.c -o lost -pthread
$ deadheat -q fuzz --format gcc -- ./lost >lines; echo $?
1
$ sed -n 's/:[0-9]*: warning/ warning/p' lines
lost_update.c:18 warning: data race on 'balance' in clerk (harmful, 9303c28d0953) [data-race]
lost_update.c:15 warning: atomicity violation on 'balance' in clerk (harmful, fc3376688b60) [atomicity-violation]
$ sed -n 's/.*reproduce with: deadheat fuzz --replay [0-9a-f]*$/reproduced/p' lines | sort -u
reproduced
$ deadheat report --fail-on none | grep harmful
   1  harmful    data-race  9303c28d0953
   2  harmful    atomicity-violation  fc3376688b60
2 findings: 2 harmful
$ deadheat fuzz --replay 9303c28d0953 2>log | tail -1; sed 's/schedule [0-9a-f]*/schedule HASH/; s/among [0-9]*/among N/' log
the account has 55, it should have 110
deadheat: crash: killed by SIGABRT (Aborted)
deadheat: schedule HASH: 4 switches, 1 of them preemptions, among N points
$ deadheat fuzz --replay ffff
! deadheat: error: .deadheat/findings.db: no finding whose id begins with ffff
? 3
$ deadheat fuzz --replay zzz
! deadheat: error: 'zzz' is not an id: give the first digits (at least 4) of one that 'deadheat report' lists
? 3

# Built by gcc alone: the runtime stands in for its own.
$ gcc -g -O1 -fsanitize=thread lost_update.c -o tsan; deadheat -q fuzz --fail-on harmful --format gcc -o tsan.txt -- ./tsan
? 1

# The fixed twin is left in peace.
$ deadheat cc -O1 lost_update_fixed.c -o fixed -pthread; deadheat -q fuzz --schedules 200 -- ./fixed

# A program as it is: breakpoints at the two lines.
$ gcc -g -O1 lost_update.c -o as-is -pthread; gcc -g -O1 lost_update_fixed.c -o as-is-fixed -pthread
$ deadheat fuzz --binary -- ./lost
! deadheat: error: TMP/lost was built for fuzzing: leave --binary out
? 3
$ deadheat -q fuzz --binary --pair lost_update.c:15,lost_update.c:18 --format gcc -- ./as-is >lines; echo $?
1
$ sed -n 's/:[0-9]*: warning/ warning/p' lines
lost_update.c:18 warning: data race on 'balance' in clerk (harmful, 9303c28d0953) [data-race]
$ deadheat fuzz --binary --pair lost_update.c:15 -- ./as-is
! deadheat: error: --pair: 'lost_update.c:15' is not two places (FILE:LINE,FILE:LINE or [MODULE+]0xOFFSET,[MODULE+]0xOFFSET)
? 3
$ deadheat fuzz --binary --pair lost_update.c:15,nowhere.c:1 -- ./as-is
! deadheat: error: nowhere.c:1 has no access to memory in this program that could be watched
? 3
$ line=$(grep -n 'before = balance' lost_update_fixed.c | cut -d: -f1); deadheat -q fuzz --binary --schedules 50 --pair lost_update_fixed.c:$line,lost_update_fixed.c:$((line + 2)) -- ./as-is-fixed; echo $?
0

# What goes wrong undisturbed as well is told, too; an exit status of the program's own is not.
$ printf '%s\n' '#include <assert.h>' '#include <pthread.h>' '#include <stdlib.h>' 'static void *f(void *a) { return a; }' 'int main(int argc, char **argv) {' 'pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL);' 'if (argc > 1) exit(3);' 'assert(!"right"); }' >always.c; deadheat cc always.c -o always -pthread
$ deadheat -q fuzz --format gcc -- ./always | sed 's/.*warning: //; s/, [0-9a-f]*)/)/' | head -1
assertion in every schedule, in main: always.c:8: main: Assertion `!"right"' failed. (harmful) [order-violation]
$ deadheat fuzz --schedules 50 -- ./always 3 2>&1 | sed 's/in .* s:/in N s:/; s/^deadheat: [0-9]* schedules/deadheat: N schedules/'
deadheat: N schedules in N s: nothing was found
deadheat: the undisturbed program exits with status 3, which was not counted as a failure

# ... unless another schedule ends with 0: then it is the schedule's doing.
$ printf '%s\n' '#include <pthread.h>' 'static pthread_mutex_t m; static int n;' 'static void *f(void *a) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return a; }' 'static void *g(void *a) { pthread_mutex_lock(&m); long seen = n; pthread_mutex_unlock(&m); return (void *)seen; }' 'int main(void) { pthread_t t, u; void *r; pthread_create(&t, NULL, f, NULL); pthread_create(&u, NULL, g, NULL); pthread_join(t, NULL); pthread_join(u, &r); return r ? 5 : 0; }' >late.c; deadheat cc -O1 late.c -o late -pthread
$ deadheat -q fuzz --fail-on harmful --format gcc -o late.txt -- ./late
? 1
$ grep -o 'exit status 5' late.txt | sort -u
exit status 5

# What ThreadSanitizer reported becomes suspects, of a program that was built for fuzzing and of one as it is.
$ printf '%s\n' 'WARNING: ThreadSanitizer: data race (pid=1)' '  Read of size 8 at 0x4068 by thread T2:' "    #0 clerk $PWD/lost_update.c:15 (lost+0x11e8)" '  Previous write of size 8 at 0x4068 by thread T1:' "    #0 clerk $PWD/lost_update.c:18 (lost+0x120f)" "  Location is global 'balance' of size 8 at 0x4068 (lost+0x4068)" 'WARNING: ThreadSanitizer: thread leak (pid=1)' >tsan.log
$ deadheat fuzz --tsan-log tsan.log --format gcc -- ./lost 2>log | sed 's/:[0-9]*: warning/ warning/; s/^.*warning/warning/' | head -1; grep -h tsan.log log
warning: data race on 'balance' in clerk (harmful, 9303c28d0953) [data-race]
deadheat: tsan.log: 2 reports, of which 1 is tried
deadheat: warning: tsan.log: reports of kinds that no schedule decides: 1
$ deadheat -q fuzz --binary --tsan-log tsan.log --fail-on harmful --format gcc -o as-is.txt -- ./as-is
? 1
$ deadheat fuzz --tsan-log lost_update.c -- ./lost
! deadheat: error: lost_update.c: no report of ThreadSanitizer in it ('WARNING: ThreadSanitizer: ...'); TSAN_OPTIONS=log_path=FILE makes it write one
? 3
$ deadheat fuzz --tsan-log nowhere -- ./lost
! deadheat: error: nowhere: No such file or directory
? 3

# A wrong output: noticed, told by --compare-output, and there again with --replay.
$ printf '%s\n' '#include <pthread.h>' '#include <stdio.h>' 'static int n;' 'static void *f(void *a) {' 'n++;' 'return a; }' 'int main(void) { pthread_t t, u; pthread_create(&t, NULL, f, NULL); pthread_create(&u, NULL, f, NULL); pthread_join(t, NULL); pthread_join(u, NULL); printf("%d\n", n); }' >sum.c; deadheat cc -O1 sum.c -o sum -pthread
$ deadheat -q fuzz --db sum.db --schedules 100 --format gcc -- ./sum | sed -n 's/.*warning: \(.*\) (\([a-z]*\), .*/\1: \2/p' | head -1
data race on 'n' in f: confirmed
$ deadheat -q fuzz --db sum.db --compare-output --format gcc -- ./sum | sed -n 's/.*reproduce with: //p' | head -1 >again; sh -c "$(cat again)" 2>&1 | sed 3d; sed 's/y .*/y ID/' again
1
deadheat: output: the output differs from that of the undisturbed run
deadheat fuzz --db sum.db --replay ID
$ deadheat -q fuzz --db check.db --check "grep -q '^2'" --format gcc -- ./sum | sed -n 's/.*reproduce with: //p' | head -1 >again; sed 's/y .*/y ID/' again; sh -c "$(cat again)" 2>&1 | sed -n 2p
deadheat fuzz --db check.db --check 'grep -q '\''^2'\''' --replay ID
deadheat: check: grep -q '^2'
