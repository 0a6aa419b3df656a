/* A result that is waited for: whoever has seen that it is done may read it without the lock. */
#include <pthread.h>
#include <stdlib.h>

struct future {
	pthread_mutex_t lock;
	pthread_cond_t ready;
	int done;
	int value;
	int hint;
};

static void complete(struct future *f, int v)
{
	f->value = v; // NORACE
	f->hint = v;  // RACE
	pthread_mutex_lock(&f->lock);
	f->done = 1; // NORACE
	pthread_cond_broadcast(&f->ready);
	pthread_mutex_unlock(&f->lock);
}

static int get(struct future *f)
{
	pthread_mutex_lock(&f->lock);
	while (!f->done) // NORACE
		pthread_cond_wait(&f->ready, &f->lock);
	pthread_mutex_unlock(&f->lock);
	return f->value; // NORACE
}

static int guess(struct future *f)
{
	return f->hint; // RACE
}

static void *compute(void *arg)
{
	complete(arg, 42);
	return NULL;
}

int main(void)
{
	struct future *f = calloc(1, sizeof(*f));
	pthread_t t;
	int n;

	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->ready, NULL);
	pthread_create(&t, NULL, compute, f);
	n = guess(f);
	n += get(f);
	pthread_join(t, NULL);
	return n < 0;
}
