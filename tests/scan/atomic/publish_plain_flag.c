/* The same with a plain flag: flag and data race. */
#include <pthread.h>
#include <sched.h>

static int data;
static int ready;

static void *producer(void *arg)
{
	data = 42; // RACE
	ready = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, producer, NULL);
	for (int i = 0; i < 1000 && !ready; i++) // RACE
		sched_yield();
	seen = data; // RACE
	pthread_join(t, NULL);
	return seen != 42;
}
