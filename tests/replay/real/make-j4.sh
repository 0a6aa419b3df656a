#!/bin/sh
# make -j4 of a tree of 40 C files with a library, a program and a test run.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs make gcc ar
	mkdir src
	for i in $(seq 40); do
		cat >"src/f$i.c" <<END
#include <stdio.h>
#include <string.h>
#include <math.h>
double f$i(double x) { char b[64]; snprintf(b, sizeof b, "%g", x); return sqrt(x + $i) + (double)strlen(b); }
END
	done
	{
		for i in $(seq 40); do echo "double f$i(double);"; done
		echo '#include <stdio.h>'
		echo 'int main(void) { double s = 0;'
		for i in $(seq 40); do echo "s += f$i($i);"; done
		printf '%s\n' 'printf("sum %.6f at %s\n", s, __TIME__); return 0; }'
	} >src/main.c
	cat >Makefile <<'END'
OBJS := $(patsubst %,build/f%.o,$(shell seq 40))
all: build/prog
	./build/prog
build/prog: src/main.c build/libf.a
	$(CC) -O1 -o $@ $^ -lm
build/libf.a: $(OBJS)
	$(AR) rcs $@ $^
build/%.o: src/%.c
	@mkdir -p build
	$(CC) -O1 -c -o $@ $<
END
	;;
main) exec make -j4 ;;
check) grep -q '^sum ' stdout ;;
esac
