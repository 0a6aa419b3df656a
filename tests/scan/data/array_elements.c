/* Different constant elements; the same element; any element. */
#include <pthread.h>
#include <stdlib.h>

static int a[4], b[4], c[4];

static void *t_fun(void *arg)
{
	a[0]++;          // NORACE
	b[2]++;          // RACE
	c[rand() % 4]++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	a[1]++; // NORACE
	b[2]++; // RACE
	c[1]++; // RACE
	pthread_join(id, NULL);
	return 0;
}
