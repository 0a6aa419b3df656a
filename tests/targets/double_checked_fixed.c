/* double_checked.c, mended: the object is filled first and published with release, looked at with
 * acquire.
 *
 * kind: none */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
	int *limits;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct config *) config;
static int limits[4] = {1, 2, 3, 4};

static struct config *get_config(void)
{
	struct config *c = atomic_load_explicit(&config, memory_order_acquire);

	if (!c) {
		pthread_mutex_lock(&lock);
		c = atomic_load_explicit(&config, memory_order_relaxed);
		if (!c) {
			c = calloc(1, sizeof(*c));
			c->limits = limits;
			atomic_store_explicit(&config, c, memory_order_release);
		}
		pthread_mutex_unlock(&lock);
	}
	return c;
}

static void *user(void *arg)
{
	*(int *)arg = get_config()->limits[1];
	return NULL;
}

int main(void)
{
	pthread_t users[2];
	int limit[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, user, &limit[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	free(config);
	return limit[0] + limit[1] != 4;
}
