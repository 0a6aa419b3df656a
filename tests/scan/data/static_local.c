/* A static local is as shared as a global. */
#include <pthread.h>

static int next_id(void)
{
	static int last;

	return ++last; // RACE
}

static void *worker(void *arg)
{
	*(int *)arg = next_id();
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int x, y;

	pthread_create(&a, NULL, worker, &x);
	pthread_create(&b, NULL, worker, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x == y; // NORACE
}
