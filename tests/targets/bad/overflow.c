/* A thread whose recursion has no end but that of its stack. */
#include <pthread.h>

static volatile int bottom = -1;

static int deeper(int n)
{
	volatile char frame[512];

	frame[0] = (char)n;
	return n == bottom ? frame[0] : deeper(n + 1) + frame[0];
}

static void *recurse(void *arg)
{
	return (void *)(long)deeper(arg != 0);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, recurse, NULL);
	pthread_join(t, NULL);
	return 0;
}
