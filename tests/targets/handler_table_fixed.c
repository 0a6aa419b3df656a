/* handler_table.c, mended: the event thread is created when the table is full.
 *
 * kind: none */
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
	handlers[0] = add_one;
	handlers[1] = add_two;
}

static void *events(void *arg)
{
	for (int i = 0; i < 2; i++)
		handled = handlers[i](handled);
	return arg;
}

int main(void)
{
	pthread_t t;

	fill();
	pthread_create(&t, NULL, events, NULL);
	pthread_join(t, NULL);
	return handled != 3;
}
