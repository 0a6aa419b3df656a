/* Events are sent before the table of handlers has been filled by the thread that does it.
 *
 * kind: order-violation
 * harm: crash */
#include <pthread.h>
#include <stddef.h>

typedef int handler(int);

static handler *handlers[2];
static int handled;

static int add_one(int n)
{
	return n + 1;
}

static int add_two(int n)
{
	return n + 2;
}

static void *fill(void *arg)
{
	handlers[0] = add_one; /* BUG */
	handlers[1] = add_two;
	return arg;
}

static void *events(void *arg)
{
	for (int i = 0; i < 2; i++)
		handled = handlers[i](handled); /* BUG */
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, fill, NULL);
	pthread_create(&two, NULL, events, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return handled != 3;
}
