# Scanning: what a user meets, mistakes included.  What is found is tested in tests/scan.
$ deadheat scan
! deadheat: error: what is to be scanned? -p PATH, sources, or '-- make' (deadheat scan --help)
? 2
$ deadheat scan prog
! deadheat: error: operands are C or C++ sources; a build command stands behind '--' (deadheat scan --help)
? 2
$ deadheat scan -p x a.c
! deadheat: error: either -p, or sources, or a build command (deadheat scan --help)
? 2
$ deadheat scan --
! deadheat: error: '--' without a build command (deadheat scan --help)
? 2
$ deadheat scan --profile windows a.c
! deadheat: error: unknown profile 'windows'; there are pthreads, linux and glib
? 2
$ deadheat scan nowhere.c
! deadheat: warning: TMP/nowhere.c is not there
! deadheat: error: there is no source to scan
? 3
$ deadheat scan -p nowhere
! deadheat: error: nowhere: No such file or directory
? 3
$ deadheat scan --jobs many -p .
! deadheat: error: --jobs: 'many' is not a number
? 2
$ deadheat scan --changed-since nonsense a.c 2>&1 | tail -n 1
deadheat: error: git cannot tell what changed since then; --changed-since needs a revision of the repository around the working directory

# A program with a race, and its fixed twin.
$ printf '%s\n' '#include <pthread.h>' 'int n; static void *work(void *p) { n++; return p; }' 'int main(void) {' '  pthread_t t;' '  pthread_create(&t, NULL, work, NULL);' '  n++;' '  return pthread_join(t, NULL);' '}' > racy.c
$ sed -e 's/int n;/int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;/' -e 's/n++;/pthread_mutex_lock(\&m); n++; pthread_mutex_unlock(\&m);/' racy.c > fixed.c
$ deadheat scan --format gcc racy.c
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:4: note: second: update of 4 bytes by main thread in main
? 1
$ deadheat scan fixed.c -- -Wall -fno-tree-vectorize
0 findings
$ deadheat report --format gcc
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:4: note: second: update of 4 bytes by main thread in main
? 1

# The same from a build and from a database; what is known already is not news.
$ cp .deadheat/findings.db before.db && deadheat scan --baseline before.db -- sh -c 'echo building; "$(command -v cc)" -c racy.c -o racy.o'
0 findings
! building
$ printf '[{"directory": "%s", "command": "gcc -DODD=\\"a b\\" -c racy.c", "file": "racy.c"}, {"directory": "%s", "command": "gcc -c gone.c", "file": "gone.c"}]' "$PWD" "$PWD" > compile_commands.json
$ deadheat scan --format gcc
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:4: note: second: update of 4 bytes by main thread in main
! deadheat: warning: TMP/gone.c is not there
? 1
$ echo '[{]' > compile_commands.json; deadheat scan
! deadheat: error: compile_commands.json:1: not a build database: string or '}' expected near ']'
? 3

# A source that clang rejects is named; the rest goes on.
$ echo 'int x = ;' > bad.c; deadheat scan --format gcc racy.c bad.c
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:4: note: second: update of 4 bytes by main thread in main
! deadheat: warning: bad.c: left out: TMP/bad.c:1:9: error: expected expression
! deadheat: warning: 1 of 2 sources could not be compiled and are left out
? 1
$ deadheat scan bad.c
! deadheat: warning: bad.c: left out: TMP/bad.c:1:9: error: expected expression
! deadheat: warning: 1 of 1 sources could not be compiled and are left out
! deadheat: error: nothing could be compiled
? 3
$ deadheat scan -- true
! deadheat: error: the build compiled nothing: is everything built already? Try after 'make clean'
? 3

# A damaged cache is made again.
$ for f in .deadheat/scan/units/* .deadheat/scan/shared; do echo rubbish > $f; done; deadheat scan --format gcc racy.c
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:4: note: second: update of 4 bytes by main thread in main
! deadheat: 1 files of the cache were damaged or of another version, and were made again
? 1

# Only what a change touches.
$ git init -q . && git add racy.c && git -c user.name=x -c user.email=x@x commit -qm x && deadheat scan --changed-since HEAD --format gcc racy.c
$ sed -i 's/  n++;/  n += 2;/' racy.c && deadheat scan --changed-since HEAD --format gcc racy.c
racy.c:2:38: warning: data race on n (predicted, da09a000a1ce) [data-race]
racy.c:2:38: note: first: update of 4 bytes by thread work in work
racy.c:6:5: note: second: update of 4 bytes by main thread in main
? 1
$ DEADHEAT_CLANG=no-such-clang deadheat scan racy.c
! deadheat: error: DEADHEAT_CLANG: no program 'no-such-clang'
? 3
$ deadheat scan --dump racy.c | head -n 4
function main() racy.c:3
  block 0
	0: assign local0 = 0 @3:0
	1: call pthread_create(&t, 0, &work, 0) @5:3

# What a library does with a callback stands in a stub.
$ printf '%s\n' 'void run_later(void *(*f)(void *), void *arg);' 'int hits; static void *work(void *p) { hits++; return p; }' 'int main(void) { run_later(work, 0); hits++; return 0; }' > later.c
$ printf '[{"directory": "%s", "command": "gcc -c later.c", "file": "later.c"}]' "$PWD" > compile_commands.json
$ deadheat scan
0 findings
$ printf '%s\n' '#include <pthread.h>' 'void run_later(void *(*f)(void *), void *arg) { pthread_t t; pthread_create(&t, 0, f, arg); }' > stub.c
$ deadheat scan --stub stub.c --format gcc
later.c:2:44: warning: data race on hits (predicted, 468c046fd09a) [data-race]
later.c:2:44: note: first: update of 4 bytes by thread work in work
later.c:3:42: note: second: update of 4 bytes by main thread in main
? 1
$ deadheat scan --stub nowhere.c
! deadheat: error: --stub: nowhere.c is not there
? 3
$ deadheat scan --stub stub.h
! deadheat: error: --stub is for C or C++ source (deadheat scan --help)
? 2
