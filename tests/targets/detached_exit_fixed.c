/* detached_exit.c, mended: main waits for the thread.
 *
 * kind: none */
#include <pthread.h>
#include <stdlib.h>

static long *figures;

static void *reporter(void *arg)
{
	for (int i = 0; i < 4; i++)
		figures[i] += i;
	return arg;
}

int main(void)
{
	pthread_t t;

	figures = calloc(4, sizeof(*figures));
	pthread_create(&t, NULL, reporter, NULL);
	pthread_join(t, NULL);
	free(figures);
	return 0;
}
