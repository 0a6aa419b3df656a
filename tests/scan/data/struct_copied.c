/* A struct is assigned and passed by value: that reads all of it. */
#include <pthread.h>

struct point {
	int x, y;
};

static struct point shared, safe;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int norm(struct point p)
{
	p.x = -p.x; // NORACE
	return p.x * p.x + p.y * p.y;
}

static void *t_fun(void *arg)
{
	struct point p = shared; // RACE

	pthread_mutex_lock(&m);
	p = safe; // NORACE
	pthread_mutex_unlock(&m);
	return (void *)(long)norm(p);
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	shared.y = 4; // RACE
	pthread_mutex_lock(&m);
	safe.x = 4; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(id, NULL);
	return norm(safe); // NORACE
}
