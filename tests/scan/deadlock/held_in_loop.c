/* One after the other in a loop, and both at a time by address. */
#include <pthread.h>
#include <stdint.h>

struct obj {
	pthread_mutex_t m;
	int v;
} objs[3];

static void lock_both(struct obj *x, struct obj *y)
{
	if ((uintptr_t)x < (uintptr_t)y) {
		pthread_mutex_lock(&x->m);
		pthread_mutex_lock(&y->m); // NODEADLOCK
	} else {
		pthread_mutex_lock(&y->m);
		pthread_mutex_lock(&x->m); // NODEADLOCK
	}
}

static void unlock_both(struct obj *x, struct obj *y)
{
	pthread_mutex_unlock(&x->m);
	pthread_mutex_unlock(&y->m);
}

void *t_fun(void *arg)
{
	struct obj *x = &objs[0], *y = &objs[2];

	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&objs[i].m); // NODEADLOCK
		objs[i].v++;                    // NORACE
		pthread_mutex_unlock(&objs[i].m);
	}
	lock_both(x, y);
	x->v += y->v; // NORACE
	unlock_both(x, y);
	return NULL;
}

int main(void)
{
	pthread_t id;

	for (int i = 0; i < 3; i++)
		pthread_mutex_init(&objs[i].m, NULL);
	pthread_create(&id, NULL, t_fun, NULL);
	lock_both(&objs[2], &objs[0]);
	objs[0].v = 3; // NORACE
	unlock_both(&objs[2], &objs[0]);
	pthread_join(id, NULL);
	return 0;
}
