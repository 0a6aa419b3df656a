/* The configuration is replaced and the old one freed while a worker still reads from it.
 *
 * kind: data-race
 * harm: heap, crash, assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct config {
	int workers;
	char name[28];
};

static struct config *current;

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

	old = current; /* BUG */
	current = c;   /* BUG */
	free(old);     /* BUG */
	return arg;
}

static void *worker(void *arg)
{
	struct config *c = current; /* BUG */

	assert(c->workers == (c->name[0] == 't' ? 2 : 5)); /* BUG */
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
