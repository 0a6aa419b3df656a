/* The counter with its lock. */
#include <pthread.h>
#include <stdio.h>

static int hits;
static pthread_mutex_t hits_lock = PTHREAD_MUTEX_INITIALIZER;

static void *visitor(void *arg)
{
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&hits_lock);
		hits++; // NORACE
		pthread_mutex_unlock(&hits_lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, NULL);
	pthread_create(&b, NULL, visitor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", hits); // NORACE
	return 0;
}
