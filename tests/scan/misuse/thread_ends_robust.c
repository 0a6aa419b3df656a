/* A robust lock survives its owner: whoever takes it next is told. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static int count;

static void *dies(void *arg)
{
	pthread_mutex_lock(&m); // NOMISUSE
	count++;                // NORACE
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_t id;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&m, &a);
	pthread_create(&id, NULL, dies, NULL);
	pthread_join(id, NULL);
	if (pthread_mutex_lock(&m) == EOWNERDEAD)
		pthread_mutex_consistent(&m);
	count++; // NORACE
	pthread_mutex_unlock(&m);
	return 0;
}
