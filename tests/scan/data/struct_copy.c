/* Copying a whole struct reads all its fields. */
#include <pthread.h>

struct point {
	double x, y, z;
};

static struct point position;

static void *mover(void *arg)
{
	position.y += 1.5; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct point snapshot;

	pthread_create(&t, NULL, mover, NULL);
	snapshot = position; // RACE
	pthread_join(t, NULL);
	return snapshot.x > position.y;
}
