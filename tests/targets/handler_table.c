/* The event thread is started before the table of handlers has been filled.
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

static void fill(void)
{
	handlers[0] = add_one; /* BUG */
	handlers[1] = add_two; /* BUG */
}

static void *events(void *arg)
{
	for (int i = 0; i < 2; i++)
		handled = handlers[i](handled); /* BUG */
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, events, NULL);
	fill();
	pthread_join(t, NULL);
	return handled != 3;
}
