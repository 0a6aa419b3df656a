/* One of several locks is given back, and which one only the input says: afterwards none of those
 * that it may be is certainly held. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t bank[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int total, other;

static void *audit(void *arg)
{
	pthread_mutex_lock(&bank[3]);
	total++; // RACE
	pthread_mutex_unlock(&bank[3]);
	pthread_mutex_lock(&bank[0]);
	other++; // NORACE
	pthread_mutex_unlock(&bank[0]);
	return NULL;
}

static void *pay(void *arg)
{
	unsigned which = (unsigned)atoi(arg);

	if (which < 1 || which > 3)
		return NULL;
	pthread_mutex_lock(&bank[0]);
	pthread_mutex_lock(&bank[3]);
	pthread_mutex_unlock(&bank[which]);
	total++; // RACE
	other++; // NORACE
	pthread_mutex_unlock(&bank[0]);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	pthread_create(&a, NULL, audit, NULL);
	pthread_create(&b, NULL, pay, argv[argc - 1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
