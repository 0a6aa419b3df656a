/* Two fields of one struct, each with a lock of its own; one access takes the wrong one. */
#include <pthread.h>

static struct {
	pthread_mutex_t rx_lock, tx_lock;
	long rx, tx;
} port = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void *receive(void *arg)
{
	pthread_mutex_lock(&port.rx_lock);
	port.rx++; // NORACE
	port.tx--; // RACE
	pthread_mutex_unlock(&port.rx_lock);
	return NULL;
}

static void *transmit(void *arg)
{
	pthread_mutex_lock(&port.tx_lock);
	port.tx++; // RACE
	pthread_mutex_unlock(&port.tx_lock);
	return NULL;
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, receive, NULL);
	pthread_create(&b, NULL, receive, NULL);
	pthread_create(&c, NULL, transmit, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
