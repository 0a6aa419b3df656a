/* A cache hands out objects with a count of their users.  The lookup takes its share only after it
 * has let go of the lock of the cache.
 *
 * kind: order-violation
 * harm: heap, crash */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define KEYS 4

struct object {
	atomic_int users;
	int key, value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object *cache[KEYS];

static void drop(struct object *o)
{
	if (atomic_fetch_sub(&o->users, 1) == 1)
		free(o);
}

static struct object *look_up(int key)
{
	struct object *o;

	pthread_mutex_lock(&lock);
	o = cache[key];
	if (!o) {
		o = malloc(sizeof(*o));
		atomic_init(&o->users, 1);
		o->key = key;
		o->value = key * 10;
		cache[key] = o;
	}
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&o->users, 1); /* BUG */
	return o;
}

static void evict(int key)
{
	struct object *o;

	pthread_mutex_lock(&lock);
	o = cache[key];
	cache[key] = NULL;
	pthread_mutex_unlock(&lock);
	if (o)
		drop(o);
}

static void *client(void *arg)
{
	long sum = 0;

	for (int i = 0; i < 4; i++) {
		struct object *o = look_up(i % 2);

		sum += o->value;
		drop(o);
	}
	*(long *)arg = sum;
	return NULL;
}

static void *cleaner(void *arg)
{
	for (int i = 0; i < 4; i++)
		evict(i % 2);
	return arg;
}

int main(void)
{
	pthread_t threads[3];
	long sum[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, client, &sum[i]);
	pthread_create(&threads[2], NULL, cleaner, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return sum[0] == 20 && sum[1] == 20 ? 0 : 1;
}
