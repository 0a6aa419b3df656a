// allow: lock-misuse
/* Four philosophers; all of them begin with the fork on the left. */
#include <pthread.h>

static pthread_mutex_t north = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t east = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t south = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t west = PTHREAD_MUTEX_INITIALIZER;

#define PHILOSOPHER(name, left, right, tag)                                                        \
	static void *name(void *arg)                                                               \
	{                                                                                          \
		pthread_mutex_lock(&left);                                                         \
		pthread_mutex_lock(&right);                                                        \
		pthread_mutex_unlock(&right);                                                      \
		pthread_mutex_unlock(&left);                                                       \
		return NULL;                                                                       \
	}

PHILOSOPHER(plato, north, east, 1) // DEADLOCK
PHILOSOPHER(hume, east, south, 2)  // DEADLOCK
PHILOSOPHER(kant, south, west, 3)  // DEADLOCK
PHILOSOPHER(mill, west, north, 4)  // DEADLOCK

int main(void)
{
	pthread_t t[4];

	pthread_create(&t[0], NULL, plato, NULL);
	pthread_create(&t[1], NULL, hume, NULL);
	pthread_create(&t[2], NULL, kant, NULL);
	pthread_create(&t[3], NULL, mill, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
