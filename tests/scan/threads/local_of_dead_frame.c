/* Each call has its own local, and waits for the thread that uses it. */
#include <pthread.h>

static void *t_fun(void *arg)
{
	int *p = arg;

	*p = 5; // NORACE
	return NULL;
}

static int compute(void)
{
	pthread_t id;
	int result = 0; // NORACE

	pthread_create(&id, NULL, t_fun, &result);
	pthread_join(id, NULL);
	return result; // NORACE
}

int main(void)
{
	return compute() + compute();
}
