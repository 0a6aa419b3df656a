/* The second lock is only tried: whoever cannot have it gives up. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *forward(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *backward(void *arg)
{
	pthread_mutex_lock(&b);
	if (pthread_mutex_trylock(&a) == 0) { // NODEADLOCK
		n--;                          // NORACE
		pthread_mutex_unlock(&a);
	}
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, forward, NULL);
	pthread_create(&t, NULL, backward, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return n;
}
