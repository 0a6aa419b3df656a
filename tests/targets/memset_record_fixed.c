/* A record is cleared by memset(), and read under the same lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct record {
	long amount, limit;
};

static struct record shared = {10, 20};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *clearer(void *arg)
{
	pthread_mutex_lock(&m);
	memset(&shared, 0, sizeof(shared));
	pthread_mutex_unlock(&m);
	return arg;
}

static void *reader(void *arg)
{
	long amount;

	pthread_mutex_lock(&m);
	amount = shared.amount;
	assert(shared.limit >= amount);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, clearer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
