#!/bin/sh
# tar with gzip, bzip2 and xz, packed and unpacked again.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs tar gzip bzip2 xz
	mkdir data
	for i in 1 2 3 4 5 6; do
		seq "$i" 20000 >"data/text$i"
		head -c 50000 /dev/urandom >"data/noise$i"
	done
	;;
main)
	set -e
	for z in gz bz2 xz; do
		tar -caf "a.tar.$z" data
		mkdir "out.$z"
		tar -xf "a.tar.$z" -C "out.$z"
		diff -r data "out.$z/data"
		stat -c '%n %s %i' "a.tar.$z"
		sha256sum "a.tar.$z"
	done
	xz -T2 -k -c data/text1 | md5sum
	;;
check) grep -q 'a.tar.xz' stdout ;;
esac
