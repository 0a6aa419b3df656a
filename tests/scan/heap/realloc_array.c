/* An array that grows under a lock, and is read without it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int *items;
static int count, room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int v)
{
	pthread_mutex_lock(&lock);
	if (count == room) {                                   // NORACE
		room = room * 2 + 4;                           // NORACE
		items = realloc(items, room * sizeof(*items)); // RACE
	}
	items[count++] = v; // RACE
	pthread_mutex_unlock(&lock);
}

static int first(void)
{
	return items ? items[0] : -1; // RACE
}

static int last(void)
{
	int v = -1;

	pthread_mutex_lock(&lock);
	if (count)                    // NORACE
		v = items[count - 1]; // NORACE
	pthread_mutex_unlock(&lock);
	return v;
}

static void *t_fun(void *arg)
{
	push(1);
	last();
	return NULL;
}

int main(void)
{
	pthread_t id;
	int r;

	pthread_create(&id, NULL, t_fun, NULL);
	r = first();
	last();
	pthread_join(id, NULL);
	return r == 5;
}
