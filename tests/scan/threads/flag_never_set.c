/* The flag in the argument is set before the threads are created and after they were joined: while
 * they run it is 0, and what is behind it is not reached. */
#include <pthread.h>
#include <stdlib.h>

struct argument {
	pthread_mutex_t m;
	int debug;
};

static int total, shown;

static void *worker(void *arg)
{
	struct argument *a = arg;

	if (a->debug)    // NORACE
		shown++; // NORACE
	pthread_mutex_lock(&a->m);
	total++; // NORACE
	pthread_mutex_unlock(&a->m);
	return NULL;
}

int main(void)
{
	struct argument *a = calloc(1, sizeof(*a));
	pthread_t t, u;

	pthread_mutex_init(&a->m, NULL);
	a->debug = 0; // NORACE
	pthread_create(&t, NULL, worker, a);
	pthread_create(&u, NULL, worker, a);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	a->debug = 1;         // NORACE
	return total + shown; // NORACE
}
