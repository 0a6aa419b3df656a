/* Before the barrier one thread writes, behind it the other one does. */
#include <pthread.h>

static pthread_barrier_t barrier;
static int baton, loose;

static void *early(void *arg)
{
	baton = 1; // NORACE
	pthread_barrier_wait(&barrier);
	loose = 1; // RACE
	return NULL;
}

static void *late(void *arg)
{
	pthread_barrier_wait(&barrier);
	baton = 2; // NORACE
	loose = 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&a, NULL, early, NULL);
	pthread_create(&b, NULL, late, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return baton + loose; // NORACE
}
