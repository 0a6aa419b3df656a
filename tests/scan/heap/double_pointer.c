/* Through a pointer to a pointer. */
#include <pthread.h>
#include <stdlib.h>

static int target;
static int *p = &target, **pp = &p;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	pthread_mutex_lock(&m);
	**pp = 3; // RACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	target = 5; // RACE
	pthread_join(id, NULL);
	return 0;
}
