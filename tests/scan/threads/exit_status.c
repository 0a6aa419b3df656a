/* What a thread returns comes back through join. */
#include <pthread.h>
#include <stdlib.h>

static void *t_fun(void *arg)
{
	int *r = malloc(sizeof(*r));

	*r = 42; // NORACE
	return r;
}

int main(void)
{
	pthread_t id;
	void *r;
	int v;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_join(id, &r);
	v = *(int *)r; // NORACE
	free(r);
	return v != 42;
}
