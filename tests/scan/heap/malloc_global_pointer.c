/* One block of memory behind a global pointer, set before the threads begin. */
#include <pthread.h>
#include <stdlib.h>

struct state {
	int n, total;
	pthread_mutex_t lock;
};

static struct state *st;

static void *t_fun(void *arg)
{
	st->n++; // RACE
	pthread_mutex_lock(&st->lock);
	st->total++; // NORACE
	pthread_mutex_unlock(&st->lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	st = calloc(1, sizeof(*st)); // NORACE
	pthread_mutex_init(&st->lock, NULL);
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(st); // NORACE
	return 0;
}
