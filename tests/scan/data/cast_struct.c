/* The same object through two types and a char pointer. */
#include <pthread.h>
#include <stddef.h>

struct base {
	int kind;
	int refs;
};

struct derived {
	struct base base;
	int extra;
	pthread_mutex_t lock;
};

struct derived object = {{1, 1}, 0, PTHREAD_MUTEX_INITIALIZER};

static void ref(struct base *b)
{
	b->refs++; // RACE
}

static void locked_kind(struct base *b)
{
	struct derived *d = (struct derived *)b;

	pthread_mutex_lock(&d->lock);
	b->kind++; // NORACE
	pthread_mutex_unlock(&d->lock);
}

void *t_fun(void *arg)
{
	struct base *b = arg;
	char *raw = (char *)arg;

	ref(b);
	locked_kind(b);
	*(int *)(raw + offsetof(struct derived, extra)) = 1; // MISS RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, &object);
	object.base.refs--; // RACE
	locked_kind(&object.base);
	object.extra = 2; // MISS RACE
	pthread_join(id, NULL);
	return 0;
}
