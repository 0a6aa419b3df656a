/* refcount_get.c, mended: pointer and reference are taken under the table's lock.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
	atomic_int references;
	int magic;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *table;

static void put(struct object *o)
{
	if (atomic_fetch_sub(&o->references, 1) == 1)
		free(o);
}

static void *user(void *arg)
{
	struct object *o;

	pthread_mutex_lock(&table_lock);
	o = table;
	if (o)
		atomic_fetch_add(&o->references, 1);
	pthread_mutex_unlock(&table_lock);
	if (!o)
		return arg;
	assert(o->magic == 1234);
	put(o);
	return arg;
}

static void *remover(void *arg)
{
	struct object *o;

	pthread_mutex_lock(&table_lock);
	o = table;
	table = NULL;
	pthread_mutex_unlock(&table_lock);
	put(o);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	table = calloc(1, sizeof(*table));
	table->magic = 1234;
	atomic_init(&table->references, 1);
	pthread_create(&one, NULL, user, NULL);
	pthread_create(&two, NULL, remover, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
