/* The second lock is only tried, or tried first. */
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int n;

void *one(void *arg)
{
	pthread_mutex_lock(&a);
	if (pthread_mutex_trylock(&b) == 0) { // NODEADLOCK
		n++;                          // NORACE
		pthread_mutex_unlock(&b);
	}
	pthread_mutex_unlock(&a);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, one, NULL);
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_join(id, NULL);
	return n; // NORACE
}
