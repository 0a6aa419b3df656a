/* All threads get the same argument. */
#include <pthread.h>
#include <stdlib.h>

struct shared {
	pthread_mutex_t lock;
	int safe, bare;
};

static void *worker(void *arg)
{
	struct shared *s = arg;

	pthread_mutex_lock(&s->lock);
	s->safe++; // NORACE
	pthread_mutex_unlock(&s->lock);
	s->bare++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	struct shared s = {.safe = 0};

	pthread_mutex_init(&s.lock, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, &s);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return s.safe + s.bare; // NORACE
}
