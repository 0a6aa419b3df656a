/* The object is changed again after others can see it. */
#include <pthread.h>
#include <stdlib.h>

struct conf {
	int a, b;
};

static struct conf *current;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	struct conf *c = malloc(sizeof(*c));

	c->a = 1; // NORACE
	c->b = 2; // NORACE
	pthread_mutex_lock(&m);
	current = c; // NORACE
	pthread_mutex_unlock(&m);
	c->b = 3; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	int sum = 0;

	pthread_create(&id, NULL, t_fun, NULL);
	pthread_mutex_lock(&m);
	if (current)               // NORACE
		sum = current->a;  // NORACE
	if (current)               // NORACE
		sum += current->b; // RACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return sum;
}
