/* Atomic while threads run, plain before and after: that is fine. */
#include <pthread.h>

static unsigned long served;

static void *worker(void *arg)
{
	for (int i = 0; i < 10; i++)
		__atomic_fetch_add(&served, 1, __ATOMIC_RELAXED); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	served = 1000; // NORACE
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return served != 1020; // NORACE
}
