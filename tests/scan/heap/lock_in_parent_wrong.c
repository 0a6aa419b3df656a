/* The element is changed after the container's lock is released. */
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

static struct item *find(struct shop *s, int i)
{
	struct item *found = NULL;

	pthread_mutex_lock(&s->lock);
	if (i < s->n)                 // NORACE
		found = &s->items[i]; // NORACE
	pthread_mutex_unlock(&s->lock);
	return found;
}

static void *worker(void *arg)
{
	struct item *it = find(arg, 1);

	if (it)
		it->price++; // RACE
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
