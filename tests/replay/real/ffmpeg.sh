#!/bin/sh
# ffmpeg makes and encodes a short film with several threads.
. "$(dirname "$0")/needs"
case $1 in
setup) needs ffmpeg ;;
main)
	ffmpeg -hide_banner -nostdin -loglevel error -f lavfi -i testsrc=size=160x120:rate=10 \
		-t 1 -c:v mpeg4 -threads 3 out.avi
	sha256sum out.avi
	stat -c '%s %Y' out.avi
	;;
check) [ -s out.avi ] ;;
esac
