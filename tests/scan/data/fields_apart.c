/* Two threads, two fields of one struct: nothing is shared. */
#include <pthread.h>

static struct {
	long rx, tx;
} port;

static void *receive(void *arg)
{
	port.rx++; // NORACE
	return NULL;
}

static void *transmit(void *arg)
{
	port.tx++; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, receive, NULL);
	pthread_create(&b, NULL, transmit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return (int)(port.rx + port.tx); // NORACE
}
