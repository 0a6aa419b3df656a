/* The main thread sleeps so that the worker has its table ready.  A sleep is no order: on a
 * loaded machine the worker is later than that.
 *
 * kind: order-violation
 * harm: crash */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int *table;

static void *loader(void *arg)
{
	int *t = calloc(8, sizeof(*t));

	for (int i = 0; i < 8; i++)
		t[i] = i + 1;
	table = t; /* BUG */
	return arg;
}

int main(void)
{
	pthread_t t;
	int first;

	pthread_create(&t, NULL, loader, NULL);
	usleep(50000);
	first = table[0]; /* BUG */
	pthread_join(t, NULL);
	free(table);
	return first != 1;
}
