/* Both orders exist, but only inside a third lock. */
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *forward(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&gate);
	return NULL;
}

static void *backward(void *arg)
{
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	n--;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&gate);
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
