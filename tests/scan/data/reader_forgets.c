/* The writer takes the lock, the reader does not: both lines are in the race. */
#include <pthread.h>
#include <stdio.h>

static long balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg)
{
	pthread_mutex_lock(&m);
	balance = balance + 10; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, deposit, NULL);
	printf("%ld\n", balance); // RACE
	pthread_join(t, NULL);
	printf("%ld\n", balance); // NORACE
	return 0;
}
