#!/bin/sh
# vim on a terminal: typed text, a substitution, writing, and the screen it drew.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/needs"
case $1 in
setup)
	needs vim
	seq 100 >text
	;;
main)
	/usr/bin/python3 "$here/drive_pty.py" '200=Gohello there\x1b' '100=:%s/9/nine/g\r' \
		'100=ggyyP' '100=:r !date +\\%N\r' '100=:set number\r' '100=:wq\r' -- \
		vim -u NONE -i NONE -n text
	wc text
	md5sum text
	;;
check) grep -q nine text && [ "$(wc -l <text)" = 103 ] ;;
esac
