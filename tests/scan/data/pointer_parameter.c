/* A helper writes through its parameter. */
#include <pthread.h>

static int first, second;

static void set(int *p, int v)
{
	*p = v; // RACE
}

static void *t_fun(void *arg)
{
	set(&first, 1);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int local = 0;

	pthread_create(&id, NULL, t_fun, NULL);
	set(&first, 2);
	set(&second, 2);
	set(&local, 3);
	pthread_join(id, NULL);
	return local;
}
