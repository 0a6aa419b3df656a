/* Nobody can join a detached thread. */
#include <pthread.h>
#include <unistd.h>

static int finished;

static void *background(void *arg)
{
	finished = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &attr, background, NULL);
	for (int i = 0; i < 1000; i++) {
		if (finished) // RACE
			break;
		usleep(10);
	}
	return 0;
}
