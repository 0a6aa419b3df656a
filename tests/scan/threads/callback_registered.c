/* Callbacks are registered at run time and called by the thread. */
#include <pthread.h>

typedef void (*callback)(void *);

struct handler {
	callback fn;
	void *data;
};

static struct handler handlers[4];
static int n_handlers;
static int counter_a, counter_b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void on(callback fn, void *data)
{
	handlers[n_handlers].fn = fn;     // NORACE
	handlers[n_handlers].data = data; // NORACE
	n_handlers++;                     // NORACE
}

static void bump_locked(void *data)
{
	pthread_mutex_lock(&m);
	++*(int *)data; // MISS NORACE
	pthread_mutex_unlock(&m);
}

static void bump(void *data)
{
	++*(int *)data; // RACE
}

static void *t_fun(void *arg)
{
	for (int i = 0; i < n_handlers; i++)      // NORACE
		handlers[i].fn(handlers[i].data); // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	on(bump_locked, &counter_a);
	on(bump, &counter_b);
	pthread_create(&id, NULL, t_fun, NULL);
	bump_locked(&counter_a);
	bump(&counter_b);
	pthread_join(id, NULL);
	return 0;
}
