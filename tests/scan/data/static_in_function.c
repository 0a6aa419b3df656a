/* A static local keeps state between calls. */
#include <pthread.h>

static int next_id(void)
{
	static int last;

	return ++last; // RACE
}

static int safe_id(void)
{
	static int last;
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	int r;

	pthread_mutex_lock(&m);
	r = ++last; // NORACE
	pthread_mutex_unlock(&m);
	return r;
}

static void *t_fun(void *arg)
{
	return (void *)(long)(next_id() + safe_id());
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	next_id();
	safe_id();
	pthread_join(id, NULL);
	return 0;
}
