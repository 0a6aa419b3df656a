/* Downward propagation sees the lock that a caller holds (RacerX 6.2). */
// scan: --config config/downward.conf
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void inner(void)
{
	pthread_mutex_lock(&b); // DEADLOCK
	x++;                    // NORACE
	pthread_mutex_unlock(&b);
}

static void *first(void *arg)
{
	pthread_mutex_lock(&a);
	inner();
	pthread_mutex_unlock(&a);
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a); // DEADLOCK
	x++;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return x;
}
