/* Reader and writer agree on the lock. */
#include <pthread.h>
#include <stdio.h>

static long balance = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *deposit(void *arg)
{
	pthread_mutex_lock(&m);
	balance = balance + 10; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;
	long seen;

	pthread_create(&t, NULL, deposit, NULL);
	pthread_mutex_lock(&m);
	seen = balance; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	printf("%ld %ld\n", seen, balance); // NORACE
	return 0;
}
