/* The thread waits until main has ended, but looks at the value before. */
#include <pthread.h>

static pthread_t first;
static int value;

static void *worker(void *arg)
{
	int before = value; // RACE

	pthread_join(first, NULL);
	value++; // NORACE
	return (void *)(long)before;
}

int main(void)
{
	pthread_t id;

	first = pthread_self();
	pthread_create(&id, NULL, worker, NULL);
	value++; // RACE
	pthread_exit(NULL);
}
