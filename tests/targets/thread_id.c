/* The id that pthread_create returns is put into a structure which the new thread reads at once:
 * it may be there before its own id.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t id;
	int items;
};

static void *run(void *arg)
{
	struct worker *w = arg;

	for (int i = 0; i < 3000; i++)
		w->items++;
	assert(pthread_equal(w->id, pthread_self())); /* BUG */
	return NULL;
}

int main(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_t id;

	pthread_create(&id, NULL, run, w);
	w->id = id; /* BUG */
	pthread_join(id, NULL);
	free(w);
	return 0;
}
