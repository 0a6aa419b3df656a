/* A thread hands the address of its own variable to another one; by its name each means its own. */
#include <pthread.h>

static __thread int lent, kept;

static void *child(void *arg)
{
	*(int *)arg = 43; // RACE
	kept = 1;         // NORACE
	lent = 1;         // NORACE
	return NULL;
}

static void *parent(void *arg)
{
	pthread_t id;

	pthread_create(&id, NULL, child, &lent);
	lent = 42; // RACE
	kept = 2;  // NORACE
	pthread_join(id, NULL);
	lent = 44; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, parent, NULL);
	lent = 5; // NORACE
	pthread_join(id, NULL);
	return lent; // NORACE
}
