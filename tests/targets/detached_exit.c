/* A detached thread writes the last figures into a table that main frees when it has, as it thinks,
 * waited long enough.
 *
 * kind: order-violation
 * harm: heap, crash */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static long *figures;

static void *reporter(void *arg)
{
	for (int i = 0; i < 4; i++)
		figures[i] += i; /* BUG */
	return arg;
}

int main(void)
{
	pthread_t t;

	figures = calloc(4, sizeof(*figures));
	pthread_create(&t, NULL, reporter, NULL);
	pthread_detach(t);
	usleep(20000); /* BUG */
	free(figures);
	return 0;
}
