/* The error path returns with the lock held. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *names[8];
static int count;

static int add(int n)
{
	char *p;

	pthread_mutex_lock(&m); // MISUSE
	if (count == 8) {       // NORACE
		pthread_mutex_unlock(&m);
		return -1;
	}
	p = malloc((size_t)n);
	if (!p)
		return -1;
	names[count++] = p; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}

static void *worker(void *arg)
{
	for (int i = 1; i < 4; i++)
		add(i);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return count; // NORACE
}
