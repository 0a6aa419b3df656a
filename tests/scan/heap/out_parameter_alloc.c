/* An object that a function allocates through an out parameter. */
#include <pthread.h>
#include <stdlib.h>

struct conf {
	pthread_mutex_t lock;
	int level;
	int loud;
};

static int conf_new(struct conf **ret)
{
	struct conf *c = malloc(sizeof(*c));

	if (!c)
		return -1;
	c->level = 1; // NORACE
	c->loud = 0;  // NORACE
	pthread_mutex_init(&c->lock, NULL);
	*ret = c;
	return 0;
}

void *t_fun(void *arg)
{
	struct conf *c = arg;

	pthread_mutex_lock(&c->lock);
	c->level++; // NORACE
	pthread_mutex_unlock(&c->lock);
	c->loud++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct conf *c;

	if (conf_new(&c))
		return 1;
	pthread_create(&id, NULL, t_fun, c);
	pthread_mutex_lock(&c->lock);
	c->level--; // NORACE
	pthread_mutex_unlock(&c->lock);
	c->loud = 2; // RACE
	pthread_join(id, NULL);
	c->loud = 3; // NORACE
	free(c);
	return 0;
}
