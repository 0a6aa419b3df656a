/* As in try_returns_lock.c, but who got one keeps it while it takes the other lock. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *locks;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int items, moved;

static void *try_item(unsigned n)
{
	pthread_mutex_t *lock = &locks[n & 7];

	if (pthread_mutex_trylock(lock) == 0)
		return lock;
	return NULL;
}

static void give_back(void *lock)
{
	pthread_mutex_unlock(lock);
}

static void *mover(void *arg)
{
	for (unsigned i = 0; i < 100; i++) {
		void *held = NULL;

		if ((held = try_item(i)))
			moved++;
		pthread_mutex_lock(&table); // DEADLOCK
		items++;                    // NORACE
		pthread_mutex_unlock(&table);
		if (held)
			give_back(held);
	}
	return NULL;
}

static void *user(void *arg)
{
	for (unsigned i = 0; i < 100; i++) {
		pthread_mutex_lock(&table);
		items--;                           // NORACE
		pthread_mutex_lock(&locks[i & 7]); // DEADLOCK
		pthread_mutex_unlock(&locks[i & 7]);
		pthread_mutex_unlock(&table);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	locks = calloc(8, sizeof(*locks));
	for (int i = 0; i < 8; i++)
		pthread_mutex_init(&locks[i], NULL);
	pthread_create(&a, NULL, mover, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return moved; // NORACE
}
