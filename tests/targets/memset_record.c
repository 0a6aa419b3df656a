/* A record is cleared by memset() while another thread reads it without the lock: it can find one
 * half cleared and the other not yet, or both gone behind its back.
 *
 * kind: data-race
 * harm: assertion */
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
	memset(&shared, 0, sizeof(shared)); /* BUG */
	pthread_mutex_unlock(&m);
	return arg;
}

static void *reader(void *arg)
{
	long amount = shared.amount; /* BUG */

	assert(shared.limit >= amount); /* BUG */
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
