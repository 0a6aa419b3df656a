/* teardown.c, mended: the worker reports when it has read all of them.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct parameters {
	int first, second;
};

static atomic_int taken;

static void *worker(void *arg)
{
	struct parameters *p = arg;
	int area = p->first;

	area *= p->second;
	atomic_store(&taken, 1);
	assert(area == 77);
	return NULL;
}

int main(void)
{
	struct parameters *p = malloc(sizeof(*p));
	pthread_t t;

	p->first = 7;
	p->second = 11;
	pthread_create(&t, NULL, worker, p);
	while (!atomic_load(&taken))
		usleep(500);
	free(p);
	pthread_join(t, NULL);
	return 0;
}
