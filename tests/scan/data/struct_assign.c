/* A whole struct is copied while a member is changed. */
#include <pthread.h>

struct point {
	int x, y;
};

static struct point p, q;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	struct point l = p; // RACE

	pthread_mutex_lock(&m);
	q = l; // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	p.y = 4; // RACE
	pthread_mutex_lock(&m);
	q.x = 4; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return 0;
}
