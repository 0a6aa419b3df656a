/* A thread creates another: both run beside main. */
#include <pthread.h>

static int x, y;
static pthread_t inner_id;

static void *inner(void *arg)
{
	x++; // RACE
	y++; // RACE
	return NULL;
}

static void *outer(void *arg)
{
	x++; // RACE
	pthread_create(&inner_id, NULL, inner, NULL);
	y++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, outer, NULL);
	x++; // RACE
	pthread_join(id, NULL);
	y++; // RACE
	return 0;
}
