/* Static local and static lock in one function. */
#include <pthread.h>

static int next_id(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int last;
	int id;

	pthread_mutex_lock(&lock);
	id = ++last; // NORACE
	pthread_mutex_unlock(&lock);
	return id;
}

static void *worker(void *arg)
{
	*(int *)arg = next_id(); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int x, y;

	pthread_create(&a, NULL, worker, &x);
	pthread_create(&b, NULL, worker, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x == y; // NORACE
}
