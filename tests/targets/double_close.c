/* Whoever finds a connection open closes it and frees its buffer.  The reader and the timeout
 * thread can both find it open.
 *
 * kind: atomicity-violation
 * harm: heap, abort, crash */
#include <pthread.h>
#include <stdlib.h>

struct connection {
	int open;
	char *buffer;
};

static struct connection connection;

static void close_connection(void)
{
	if (!connection.open) /* BUG */
		return;
	connection.open = 0; /* BUG */
	free(connection.buffer);
}

static void *reader(void *arg)
{
	close_connection(); /* end of input */
	return arg;
}

static void *timeout(void *arg)
{
	close_connection(); /* too slow */
	return arg;
}

int main(void)
{
	pthread_t one, two;

	connection.open = 1;
	connection.buffer = malloc(4096);
	pthread_create(&one, NULL, reader, NULL);
	pthread_create(&two, NULL, timeout, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
