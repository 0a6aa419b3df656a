/* A semaphore that starts at 1 is a lock. */
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int tokens, leaks;

static void *worker(void *arg)
{
	sem_wait(&gate);
	tokens++; // NORACE
	sem_post(&gate);
	leaks++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	sem_init(&gate, 0, 1);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return tokens + leaks; // NORACE
}
