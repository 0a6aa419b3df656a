/* setjmp and longjmp over many frames, with values. */
#include "t.h"

static jmp_buf env;

static void __attribute__((noinline)) down(int n, int v)
{
	volatile char frame[100];

	frame[n % 100] = (char)v;
	if (n == 0)
		longjmp(env, v);
	if (frame[n % 100] == (char)v)
		down(n - 1, v);
}

int main(void)
{
	volatile int sum = 0;

	for (volatile int i = 0; i < 20; i++) {
		int r = setjmp(env);

		if (!r)
			down((int)t_rand_in(1, 200), (int)t_rand_in(1, 1000));
		sum += r;
		say("%d ", r);
	}
	say("\nsum %d\n", sum);
	return 0;
}
