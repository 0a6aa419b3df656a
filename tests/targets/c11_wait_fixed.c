/* c11_wait.c, mended: the state is looked at under the mutex, in a loop.
 *
 * kind: none */
#include <stdatomic.h>
#include <threads.h>

static mtx_t lock;
static cnd_t opened;
static atomic_int is_open;

static int opener(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	atomic_store(&is_open, 1);
	cnd_signal(&opened);
	mtx_unlock(&lock);
	return 0;
}

static int visitor(void *arg)
{
	(void)arg;
	mtx_lock(&lock);
	while (!atomic_load(&is_open))
		cnd_wait(&opened, &lock);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t one, two;

	mtx_init(&lock, mtx_plain);
	cnd_init(&opened);
	thrd_create(&one, opener, NULL);
	thrd_create(&two, visitor, NULL);
	thrd_join(one, NULL);
	thrd_join(two, NULL);
	return 0;
}
