/* Several objects share one mutex through a pointer that each of them has. */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t *guard;
	long money;
};

static pthread_mutex_t bank = PTHREAD_MUTEX_INITIALIZER;
static struct account *all[4];

static void *clerk(void *arg)
{
	for (int i = 0; i < 100; i++) {
		struct account *a = all[i % 4];

		pthread_mutex_lock(a->guard);
		a->money++; // NORACE
		pthread_mutex_unlock(a->guard);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 4; i++) {
		all[i] = malloc(sizeof(struct account));
		all[i]->guard = &bank;
		all[i]->money = 0; // NORACE
	}
	pthread_create(&t[0], NULL, clerk, NULL);
	pthread_create(&t[1], NULL, clerk, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return all[0]->money == 0; // NORACE
}
