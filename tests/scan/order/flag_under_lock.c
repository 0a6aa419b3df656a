/* The data are ready when the flag says so; the flag is kept under a lock. */
#include <pthread.h>
#include <sched.h>

int data, ready, careless;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *producer(void *arg)
{
	data = 42;    // NORACE
	careless = 1; // RACE
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_mutex_unlock(&m);
	careless = 2; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	int r = 0;

	pthread_create(&id, NULL, producer, NULL);
	careless = 3; // RACE
	for (;;) {
		pthread_mutex_lock(&m);
		r = ready; // NORACE
		pthread_mutex_unlock(&m);
		if (r)
			break;
		sched_yield();
	}
	data++; // NORACE
	pthread_join(id, NULL);
	return data; // NORACE
}
