/* steal_state.c, mended: the thief takes the index under the lock that the owner takes too.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ITEMS 4
#define RING  2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ring[RING], head, tail, taken[ITEMS + 1];

static void take(int item)
{
	assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static int push(int item)
{
	int full;

	pthread_mutex_lock(&lock);
	full = atomic_load(&tail) - atomic_load(&head) == RING;
	if (!full) {
		atomic_store(&ring[atomic_load(&tail) % RING], item);
		atomic_fetch_add(&tail, 1);
	}
	pthread_mutex_unlock(&lock);
	return !full;
}

static void *owner(void *arg)
{
	for (int i = 1; i <= ITEMS; i++)
		if (!push(i))
			take(i);
	return arg;
}

static void *thief(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int h, item;

		pthread_mutex_lock(&lock);
		h = atomic_load(&head);
		item = h == atomic_load(&tail) ? 0 : atomic_load(&ring[h % RING]);
		if (item)
			atomic_store(&head, h + 1);
		pthread_mutex_unlock(&lock);
		if (item)
			take(item);
	}
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, owner, NULL);
	pthread_create(&threads[1], NULL, thief, NULL);
	pthread_create(&threads[2], NULL, thief, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
