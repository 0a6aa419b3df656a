/* The lock of each object is set by an initialiser: shared or its own. */
#include <pthread.h>
#include <stdlib.h>

struct conn {
	pthread_mutex_t *lock;
	int bytes;
};

static pthread_mutex_t global_lock = PTHREAD_MUTEX_INITIALIZER;
static struct conn *list[2];
static int total, total_wrong;

static struct conn *conn_new(pthread_mutex_t *lock)
{
	struct conn *c = malloc(sizeof(*c));

	c->lock = lock; // NORACE
	c->bytes = 0;   // NORACE
	return c;
}

static void *t_fun(void *arg)
{
	struct conn *c = list[0]; // NORACE

	pthread_mutex_lock(c->lock);
	c->bytes++;        // NORACE
	total += c->bytes; // NORACE
	pthread_mutex_unlock(c->lock);
	total_wrong++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	list[0] = conn_new(&global_lock);
	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_mutex_lock(&global_lock);
	total = 0; // NORACE
	pthread_mutex_unlock(&global_lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return total + total_wrong; // NORACE
}
