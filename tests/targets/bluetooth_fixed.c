/* bluetooth.c, mended: a request counts itself first, and looks at the flag afterwards.
 *
 * kind: none */
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
	atomic_fetch_add(&pending, 1);
	if (!atomic_load(&stopping))
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
