/* atomic_limit.c, mended: compare-and-swap raises only what was compared.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LIMIT 2

static atomic_int guests;

static void *guest(void *arg)
{
	int now = atomic_load(&guests);

	while (now < LIMIT && !atomic_compare_exchange_weak(&guests, &now, now + 1))
		;
	return arg;
}

int main(void)
{
	pthread_t guests_at_door[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&guests_at_door[i], NULL, guest, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(guests_at_door[i], NULL);
	assert(guests <= LIMIT);
	return 0;
}
