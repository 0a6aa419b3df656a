/* A thread and the main thread add to a number and a checker looks at it, each under the
 * lock.  The checker is only right when it comes last, and nothing makes it.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	data++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *add_two(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	data += 2;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *check(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	assert(data >= 2); /* BUG */
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t one, three;

	pthread_create(&three, NULL, check, NULL);
	add_two(NULL);
	pthread_create(&one, NULL, add_one, NULL);
	pthread_join(one, NULL);
	pthread_join(three, NULL);
	return 0;
}
