/* double_close.c, mended: an atomic exchange decides who closes.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct connection {
	atomic_int open;
	char *buffer;
};

static struct connection connection;

static void close_connection(void)
{
	if (!atomic_exchange(&connection.open, 0))
		return;
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
