/* The lock is in the container, the data in its elements. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int price;
};

struct shop {
	pthread_mutex_t lock;
	struct item *items;
	int n;
};

static void raise_prices(struct shop *s)
{
	pthread_mutex_lock(&s->lock);
	for (int i = 0; i < s->n; i++) // NORACE
		s->items[i].price++;   // NORACE
	pthread_mutex_unlock(&s->lock);
}

static void *worker(void *arg)
{
	raise_prices(arg);
	return NULL;
}

int main(void)
{
	struct shop *s = calloc(1, sizeof(*s));
	pthread_t a, b;

	pthread_mutex_init(&s->lock, NULL);
	s->n = 3; // NORACE
	s->items = calloc(3, sizeof(*s->items));
	pthread_create(&a, NULL, worker, s);
	pthread_create(&b, NULL, worker, s);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return s->items[0].price; // NORACE
}
