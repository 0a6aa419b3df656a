/* The copy is taken under the writer's lock. */
#include <pthread.h>

struct point {
	double x, y, z;
};

static struct point position;
static pthread_mutex_t position_lock = PTHREAD_MUTEX_INITIALIZER;

static void *mover(void *arg)
{
	pthread_mutex_lock(&position_lock);
	position.y += 1.5; // NORACE
	pthread_mutex_unlock(&position_lock);
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct point snapshot;

	pthread_create(&t, NULL, mover, NULL);
	pthread_mutex_lock(&position_lock);
	snapshot = position; // NORACE
	pthread_mutex_unlock(&position_lock);
	pthread_join(t, NULL);
	return snapshot.x > position.y;
}
