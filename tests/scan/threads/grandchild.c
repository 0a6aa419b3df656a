/* A thread starts another one and does not wait for it. */
#include <pthread.h>
#include <unistd.h>

static int tasks;

static void *grandchild(void *arg)
{
	tasks++; // RACE
	return NULL;
}

static void *child(void *arg)
{
	pthread_t t;

	tasks++; // NORACE
	pthread_create(&t, NULL, grandchild, NULL);
	pthread_detach(t);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, child, NULL);
	pthread_join(t, NULL);
	usleep(1000);
	return tasks; // RACE
}
