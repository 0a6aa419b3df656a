/* Nine writers of a pair and one reader, without a lock.  Only a reader that comes between the
 * first writer's two writes, before any other has finished, sees the half pair.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define WRITERS 9

static struct {
	int from, to;
} range;

static void *writer(void *arg)
{
	(void)arg;
	range.to = 20;   /* BUG */
	range.from = 10; /* BUG */
	return NULL;
}

static void *reader(void *arg)
{
	(void)arg;
	assert(range.to - range.from == 10 || range.to == 0); /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t threads[WRITERS + 1];

	for (int i = 0; i <= WRITERS; i++)
		pthread_create(&threads[i], NULL, i < WRITERS ? writer : reader, NULL);
	for (int i = 0; i <= WRITERS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
