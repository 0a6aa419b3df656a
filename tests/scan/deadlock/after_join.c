/* The second order is only used when the first thread is gone. */
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

static void shut_down(void)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	n = 0;                  // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, forward, NULL);
	pthread_join(t, NULL);
	shut_down();
	return n;
}
