/* Double-checked initialisation as it should be. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
	int verbose;
};

static _Atomic(struct settings *) settings;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get(void)
{
	struct settings *s = atomic_load_explicit(&settings, memory_order_acquire); // NORACE

	if (!s) {
		pthread_mutex_lock(&m);
		s = atomic_load_explicit(&settings, memory_order_relaxed); // NORACE
		if (!s) {
			s = calloc(1, sizeof(*s));
			s->verbose = 1;                                            // NORACE
			atomic_store_explicit(&settings, s, memory_order_release); // NORACE
		}
		pthread_mutex_unlock(&m);
	}
	return s;
}

static void *worker(void *arg)
{
	return (void *)(long)get()->verbose; // NORACE
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
