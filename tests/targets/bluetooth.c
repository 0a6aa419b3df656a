/* A driver counts the requests under way, and the thread that stops it waits for zero.  A request
 * looks at the stop flag first and counts itself afterwards: the driver may be taken down between
 * the two.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int pending = 1; /* one for the driver itself */
static atomic_bool stopping, stopped;

static void leave(void)
{
	if (atomic_fetch_sub(&pending, 1) == 1)
		atomic_store(&stopped, true);
}

static void *request(void *arg)
{
	(void)arg;
	if (atomic_load(&stopping)) /* BUG */
		return NULL;
	atomic_fetch_add(&pending, 1); /* BUG */
	assert(!atomic_load(&stopped));
	leave();
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, request, NULL);
	atomic_store(&stopping, true);
	leave();
	pthread_join(t, NULL);
	return 0;
}
