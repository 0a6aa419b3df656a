/* refcount_put.c, mended: the result of the subtraction itself decides.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int references;
	char name[20];
};

static void put(struct object *o)
{
	if (atomic_fetch_sub(&o->references, 1) == 1)
		free(o);
}

static void *user(void *arg)
{
	put(arg);
	return NULL;
}

int main(void)
{
	struct object *o = calloc(1, sizeof(*o));
	pthread_t users[2];

	atomic_init(&o->references, 2);
	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, user, o);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	return 0;
}
