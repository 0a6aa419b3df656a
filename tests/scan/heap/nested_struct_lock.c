/* The lock is in an outer struct, the data in an inner one. */
#include <pthread.h>
#include <stdlib.h>

struct inner {
	int x, y;
};

struct outer {
	pthread_mutex_t lock;
	struct inner in;
	struct inner *more;
};

static void touch(struct outer *o)
{
	struct inner *i = &o->in;

	pthread_mutex_lock(&o->lock);
	i->x++;       // NORACE
	o->more->y++; // NORACE
	pthread_mutex_unlock(&o->lock);
	o->more->x++; // RACE
}

static void *t_fun(void *arg)
{
	touch(arg);
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct outer *o = calloc(1, sizeof(*o));

	o->more = calloc(1, sizeof(*o->more)); // NORACE
	pthread_mutex_init(&o->lock, NULL);
	pthread_create(&id, NULL, t_fun, o);
	touch(o);
	pthread_join(id, NULL);
	return 0;
}
