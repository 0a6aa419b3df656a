# The command line itself: help, versions, mistakes.
$ deadheat --version
deadheat VERSION
$ deadheat --help | sed -n '1,3p'
Usage: deadheat [-q|-v] COMMAND [options] [-- PROGRAM [ARG]...]
|
Finds, proves, replays and explains race conditions on Linux.
$ deadheat help | head -1
Usage: deadheat [-q|-v] COMMAND [options] [-- PROGRAM [ARG]...]
$ deadheat
! deadheat: error: which command? (deadheat --help)
? 2
$ deadheat docter
! deadheat: error: unknown command 'docter'; did you mean 'doctor'? (deadheat --help)
? 2
$ deadheat xyzzy
! deadheat: error: unknown command 'xyzzy' (deadheat --help)
? 2
$ deadheat --verbsoe doctor
! deadheat: error: unknown option '--verbsoe'; did you mean '--verbose'? (deadheat --help)
? 2
$ deadheat -q xyzzy
! deadheat: error: unknown command 'xyzzy' (deadheat --help)
? 2
