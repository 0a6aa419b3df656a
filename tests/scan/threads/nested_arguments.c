/* Arguments that point at arguments. */
#include <pthread.h>

struct shared {
	pthread_mutex_t lock;
	int sum, hits;
};

struct args {
	struct shared *shared;
	int id;
};

static void *t_fun(void *arg)
{
	struct args *a = arg;

	pthread_mutex_lock(&a->shared->lock);
	a->shared->sum += a->id; // NORACE
	pthread_mutex_unlock(&a->shared->lock);
	a->shared->hits++; // RACE
	a->id = 0;         // NORACE
	return NULL;
}

int main(void)
{
	struct shared s = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
	struct args x = {&s, 1}, y = {&s, 2};
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, &x);
	pthread_create(&b, NULL, t_fun, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return s.sum + s.hits + x.id; // NORACE
}
