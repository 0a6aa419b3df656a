/* A limit is compared with an atomic counter, which is raised in a second step: each access is
 * atomic, the two together are not.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LIMIT 2

static atomic_int guests;

static void *guest(void *arg)
{
	if (atomic_load(&guests) < LIMIT)     /* BUG */
		atomic_fetch_add(&guests, 1); /* BUG */
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
