/* pthread_once: the routine runs once and before anybody goes on. */
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;
static int size;

static void set_up(void)
{
	size = 4;                          // NORACE
	table = calloc(4, sizeof(*table)); // NORACE
	for (int i = 0; i < size; i++)     // NORACE
		table[i] = i * i;          // NORACE
}

static void *worker(void *arg)
{
	pthread_once(&once, set_up);
	return (void *)(long)table[size - 1]; // NORACE
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
