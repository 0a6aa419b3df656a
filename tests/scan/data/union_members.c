/* Members of a union are one place. */
#include <pthread.h>

static union {
	int i;
	float f;
} u;

static void *t_fun(void *arg)
{
	u.i = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	u.f = 1; // RACE
	pthread_join(id, NULL);
	return 0;
}
