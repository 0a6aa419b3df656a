#!/bin/sh
# lame encodes three seconds of sound made of two tones and noise.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs lame
	/usr/bin/python3 - <<'END'
import math, random, struct, wave
w = wave.open("in.wav", "wb")
w.setnchannels(1); w.setsampwidth(2); w.setframerate(22050)
w.writeframes(b"".join(struct.pack("<h", int(8000 * math.sin(i / 11) + 6000 * math.sin(i / 7.3)
    + random.randint(-500, 500))) for i in range(3 * 22050)))
END
	;;
main)
	lame --quiet -b 64 in.wav out.mp3
	sha256sum out.mp3
	;;
check) [ -s out.mp3 ] ;;
esac
