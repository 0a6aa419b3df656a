/* The access, too, depends on the condition under which the lock is held. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void step(int use_shared)
{
	int own = 0;

	if (use_shared)
		pthread_mutex_lock(&m);
	own++;
	if (use_shared) {
		shared += own; // NORACE
		pthread_mutex_unlock(&m);
	}
}

static void *worker(void *arg)
{
	int flag = *(int *)arg;

	step(flag);
	step(!flag);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int yes = 1, no = 0;

	pthread_create(&a, NULL, worker, &yes);
	pthread_create(&b, NULL, worker, &no);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return shared; // NORACE
}
