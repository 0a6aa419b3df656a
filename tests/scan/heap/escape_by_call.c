/* A heap object stays local until a callee publishes it. */
#include <pthread.h>
#include <stdlib.h>

struct obj {
	int before, after;
};

struct obj *global_obj;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void publish(struct obj *o)
{
	pthread_mutex_lock(&m);
	global_obj = o; // NORACE
	pthread_mutex_unlock(&m);
}

void *t_fun(void *arg)
{
	struct obj *o;

	pthread_mutex_lock(&m);
	o = global_obj; // NORACE
	if (o) {
		o->before++; // NORACE
		o->after++;  // RACE
	}
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;
	struct obj *o = malloc(sizeof(*o));

	pthread_create(&id, NULL, t_fun, NULL);
	o->before = 1; // NORACE
	o->after = 1;  // NORACE
	publish(o);
	o->after = 2; // RACE
	pthread_join(id, NULL);
	free(o); // NORACE
	return 0;
}
