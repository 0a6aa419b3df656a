/* One of several cases forgets the lock. */
#include <pthread.h>
#include <stdlib.h>

static int state;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void set(int how)
{
	switch (how) {
	case 0:
		pthread_mutex_lock(&m);
		state = 1; // RACE
		pthread_mutex_unlock(&m);
		break;
	case 1:
		state = 2; // RACE
		break;
	default:
		pthread_mutex_lock(&m);
		state = how; // RACE
		pthread_mutex_unlock(&m);
	}
}

static void *t_fun(void *arg)
{
	set(rand() % 4);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	set(rand() % 4);
	pthread_join(id, NULL);
	return 0;
}
