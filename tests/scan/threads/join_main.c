/* The thread waits until main has ended by pthread_exit(). */
#include <pthread.h>

static pthread_t first;
static int value;

static void *worker(void *arg)
{
	pthread_join(first, NULL);
	value++; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	first = pthread_self();
	pthread_create(&id, NULL, worker, NULL);
	value++; // NORACE
	pthread_exit(NULL);
}
