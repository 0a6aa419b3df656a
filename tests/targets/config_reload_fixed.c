/* config_reload.c, mended: a read-write lock is held for as long as the configuration is used.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct config {
	int workers;
	char name[28];
};

static struct config *current;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct config *load(int workers, const char *name)
{
	struct config *c = calloc(1, sizeof(*c));

	c->workers = workers;
	strcpy(c->name, name);
	return c;
}

static void *reload(void *arg)
{
	struct config *c = load(5, "five"), *old;

	pthread_rwlock_wrlock(&lock);
	old = current;
	current = c;
	pthread_rwlock_unlock(&lock);
	free(old);
	return arg;
}

static void *worker(void *arg)
{
	struct config *c;

	pthread_rwlock_rdlock(&lock);
	c = current;
	assert(c->workers == (c->name[0] == 't' ? 2 : 5));
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	current = load(2, "two");
	pthread_create(&one, NULL, worker, NULL);
	pthread_create(&two, NULL, reload, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	free(current);
	return 0;
}
