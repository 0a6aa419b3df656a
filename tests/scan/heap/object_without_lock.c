/* The object has a lock; one method forgets it. */
#include <pthread.h>
#include <stdlib.h>

struct meter {
	pthread_mutex_t lock;
	int value;
};

static void meter_add(struct meter *m, int n)
{
	pthread_mutex_lock(&m->lock);
	m->value += n; // RACE
	pthread_mutex_unlock(&m->lock);
}

static void meter_reset(struct meter *m)
{
	m->value = 0; // RACE
}

static void *adder(void *arg)
{
	for (int i = 0; i < 10; i++)
		meter_add(arg, i);
	return NULL;
}

int main(void)
{
	struct meter *m = calloc(1, sizeof(*m));
	pthread_t t;
	int v;

	pthread_mutex_init(&m->lock, NULL);
	pthread_create(&t, NULL, adder, m);
	meter_reset(m);
	pthread_join(t, NULL);
	v = m->value; // NORACE
	free(m);
	return v;
}
