/* Every case unlocks but one, and the variable after the switch needs no lock there. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int opened, closed;

static void handle(int event)
{
	pthread_mutex_lock(&m);
	switch (event) {
	case 0:
		opened++; // NORACE
		pthread_mutex_unlock(&m);
		break;
	case 1:
		closed++; // RACE
		pthread_mutex_unlock(&m);
		break;
	default:
		pthread_mutex_unlock(&m);
		closed--; // RACE
	}
}

static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++)
		handle(i);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return opened + closed; // NORACE
}
