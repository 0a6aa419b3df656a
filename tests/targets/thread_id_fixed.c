/* thread_id.c, mended: the thread itself writes the id.
 *
 * kind: none */
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

	w->id = pthread_self();
	for (int i = 0; i < 3000; i++)
		w->items++;
	assert(pthread_equal(w->id, pthread_self()));
	return NULL;
}

int main(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	pthread_t id;

	pthread_create(&id, NULL, run, w);
	pthread_join(id, NULL);
	free(w);
	return 0;
}
