#!/bin/sh
# make -j4 of a real package: the source tree named by DEADHEAT_PACKAGE_TREE (configured by its own
# script if it has one), or else GoogleTest, which Debian installs as sources.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs make g++
	if [ -d "${DEADHEAT_PACKAGE_TREE:-}" ]; then
		cp -r "$DEADHEAT_PACKAGE_TREE" tree
	elif [ -d /usr/src/googletest/googletest ]; then
		cp -r /usr/src/googletest/googletest tree
		cat >tree/Makefile <<'END'
all: libgtest.a libgtest_main.a
	g++ -Iinclude -o sample samples/sample1.cc samples/sample1_unittest.cc libgtest_main.a libgtest.a -pthread
	./sample
lib%.a: %.o
	ar rcs $@ $<
gtest.o: src/gtest-all.cc
	g++ -O0 -Iinclude -I. -c -o $@ $<
gtest_main.o: src/gtest_main.cc
	g++ -O0 -Iinclude -I. -c -o $@ $<
END
	else
		echo "no source package: set DEADHEAT_PACKAGE_TREE, or install googletest"
		exit 77
	fi
	;;
main)
	cd tree || exit
	[ ! -x configure ] || ./configure
	exec make -j4
	;;
esac
