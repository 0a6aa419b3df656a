#!/bin/sh
# gcc compiles, links and runs a small program with optimisation and debug information.
. "$(dirname "$0")/needs"
case $1 in
setup)
	needs gcc
	cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
	int v[1000];
	srand((unsigned)time(NULL));
	for (int i = 0; i < 1000; i++)
		v[i] = rand() % 10000;
	qsort(v, 1000, sizeof(*v), cmp);
	printf("compiled %s, median %d\n", __TIME__, v[500]);
	return v[0] <= v[999] ? 0 : 1;
}
END
	;;
main)
	gcc -O2 -g -pipe -Wall -o prog main.c
	./prog
	gcc -O2 -S -o - main.c | wc -l
	;;
check) grep -q '^compiled' stdout ;;
esac
