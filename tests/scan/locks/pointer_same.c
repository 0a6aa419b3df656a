/* Two pointers to one mutex. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *one(void *arg)
{
	pthread_mutex_t *p = &m;

	pthread_mutex_lock(p);
	n++; // NORACE
	pthread_mutex_unlock(p);
	return NULL;
}

static void *two(void *arg)
{
	pthread_mutex_t *q = arg;

	pthread_mutex_lock(q);
	n--; // NORACE
	pthread_mutex_unlock(q);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, &m);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n; // NORACE
}
