/* Every thread makes a mutex for itself, which protects nothing. */
#include <pthread.h>

static int n;

static void *worker(void *arg)
{
	pthread_mutex_t mine;

	pthread_mutex_init(&mine, NULL);
	pthread_mutex_lock(&mine);
	n++; // RACE
	pthread_mutex_unlock(&mine);
	pthread_mutex_destroy(&mine);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n; // NORACE
}
