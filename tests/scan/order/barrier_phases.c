/* Two phases with a barrier in between. */
#include <pthread.h>

static pthread_barrier_t bar;
static int left, right, both;

static void *t_fun(void *arg)
{
	left = 1; // NORACE
	both++;   // RACE
	pthread_barrier_wait(&bar);
	left += right; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_barrier_init(&bar, NULL, 2);
	pthread_create(&id, NULL, t_fun, NULL);
	right = 2; // NORACE
	both--;    // RACE
	pthread_barrier_wait(&bar);
	pthread_join(id, NULL);
	return left + right; // NORACE
}
