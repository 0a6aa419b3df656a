/* A list of observers is walked without the lock while one of them is taken out: the walk goes on
 * behind its end.
 *
 * kind: data-race
 * harm: crash */
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
	for (int i = 0; i < count; i++) /* BUG */
		observers[i]();         /* BUG */
	return arg;
}

static void *unsubscribe(void *arg)
{
	pthread_mutex_lock(&lock);
	count--;                 /* BUG */
	observers[count] = NULL; /* BUG */
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
