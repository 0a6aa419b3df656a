/* Double-checked initialisation without atomics. */
#include <pthread.h>
#include <stdlib.h>

static int *table;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int get(int i)
{
	if (!table) { // RACE
		pthread_mutex_lock(&m);
		if (!table)                                 // MAYBE RACE
			table = calloc(16, sizeof(*table)); // RACE
		pthread_mutex_unlock(&m);
	}
	return table[i]; // RACE
}

static void *t_fun(void *arg)
{
	return (void *)(long)get(1);
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	get(2);
	pthread_join(id, NULL);
	return 0;
}
