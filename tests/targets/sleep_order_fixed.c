/* sleep_order.c, mended: a semaphore tells when the table is ready.
 *
 * kind: none */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static int *table;
static sem_t ready;

static void *loader(void *arg)
{
	int *t = calloc(8, sizeof(*t));

	for (int i = 0; i < 8; i++)
		t[i] = i + 1;
	table = t;
	sem_post(&ready);
	return arg;
}

int main(void)
{
	pthread_t t;
	int first;

	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, loader, NULL);
	sem_wait(&ready);
	first = table[0];
	pthread_join(t, NULL);
	free(table);
	return first != 1;
}
