/* observers.c, mended: the walk holds the lock.
 *
 * kind: none */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int calls;

static void called(void)
{
	calls++;
}

static void (*observers[3])(void) = {called, called, called};
static int count = 3;

static void *notify(void *arg)
{
	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		observers[i]();
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *unsubscribe(void *arg)
{
	pthread_mutex_lock(&lock);
	count--;
	observers[count] = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, notify, NULL);
	pthread_create(&two, NULL, unsubscribe, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return calls < 2;
}
