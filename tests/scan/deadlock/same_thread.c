/* Both orders, but in the one thread that exists for them. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *only(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b); // NODEADLOCK
	n++;                    // NORACE
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // NODEADLOCK
	n--;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, only, NULL);
	pthread_mutex_lock(&a);
	n += 2; // NORACE
	pthread_mutex_unlock(&a);
	pthread_join(t, NULL);
	return n;
}
