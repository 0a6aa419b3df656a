/* What the argument contains when the thread is created is not what it contains later: the flag is
 * set, and the thread goes on behind its loop. */
#include <pthread.h>
#include <stdlib.h>

struct argument {
	pthread_mutex_t m;
	int stop, limit;
};

static int total;

static void *worker(void *arg)
{
	struct argument *a = arg;
	int n = 0;

	pthread_mutex_lock(&a->m);
	while (!a->stop) { // NORACE
		pthread_mutex_unlock(&a->m);
		n++;
		pthread_mutex_lock(&a->m);
	}
	pthread_mutex_unlock(&a->m);
	total += n; // RACE
	return NULL;
}

int main(void)
{
	struct argument *a = calloc(1, sizeof(*a));
	pthread_t t, u;

	pthread_mutex_init(&a->m, NULL);
	a->stop = 0; // NORACE
	pthread_create(&t, NULL, worker, a);
	pthread_create(&u, NULL, worker, a);
	pthread_mutex_lock(&a->m);
	a->stop = 1; // NORACE
	pthread_mutex_unlock(&a->m);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return total; // NORACE
}
