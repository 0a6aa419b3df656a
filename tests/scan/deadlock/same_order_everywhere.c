/* Three locks, always in the same order, some left out. */
#include <pthread.h>

pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t l2 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t l3 = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *arg)
{
	pthread_mutex_lock(&l1);
	pthread_mutex_lock(&l3); // NODEADLOCK
	x++;                     // NORACE
	pthread_mutex_unlock(&l3);
	pthread_mutex_unlock(&l1);
	return NULL;
}

void *two(void *arg)
{
	pthread_mutex_lock(&l2);
	pthread_mutex_lock(&l3); // NODEADLOCK
	x++;                     // NORACE
	pthread_mutex_unlock(&l3);
	pthread_mutex_unlock(&l2);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_mutex_lock(&l1);
	pthread_mutex_lock(&l2); // NODEADLOCK
	pthread_mutex_unlock(&l2);
	pthread_mutex_unlock(&l1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
