/* The count of references is kept under the object's lock; the last one frees it. */
#include <pthread.h>
#include <stdlib.h>

struct obj {
	pthread_mutex_t lock;
	int refs;
	int data;
};

static void put(struct obj *o)
{
	int left;

	pthread_mutex_lock(&o->lock);
	left = --o->refs; // NORACE
	pthread_mutex_unlock(&o->lock);
	if (left == 0)
		free(o); // MISS NORACE
}

static void *t_fun(void *arg)
{
	struct obj *o = arg;

	pthread_mutex_lock(&o->lock);
	o->data++; // MISS NORACE
	pthread_mutex_unlock(&o->lock);
	put(o);
	return NULL;
}

int main(void)
{
	struct obj *o = calloc(1, sizeof(*o));
	pthread_t id;

	pthread_mutex_init(&o->lock, NULL);
	o->refs = 2; // NORACE
	pthread_create(&id, NULL, t_fun, o);
	pthread_mutex_lock(&o->lock);
	o->data--; // MISS NORACE
	pthread_mutex_unlock(&o->lock);
	put(o);
	pthread_join(id, NULL);
	return 0;
}
