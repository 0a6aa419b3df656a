/* A global pointer that is set once, before the thread. */
#include <pthread.h>

static int one, two;
static int *where = &one;

static void *t_fun(void *arg)
{
	*where = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	where = &two; // NORACE
	pthread_create(&id, NULL, t_fun, NULL);
	one = 5; // MISS NORACE
	two = 6; // RACE
	pthread_join(id, NULL);
	return 0;
}
