/* Dropping a reference subtracts one and then looks whether the count is zero.  Two droppers can
 * both see zero, and the object is freed twice.
 *
 * kind: atomicity-violation
 * harm: heap, abort, crash */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int references;
	char name[20];
};

static void put(struct object *o)
{
	atomic_fetch_sub(&o->references, 1);  /* BUG */
	if (atomic_load(&o->references) == 0) /* BUG */
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
