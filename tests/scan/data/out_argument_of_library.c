/* A pointer argument that a library function fills. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct timespec now;
static int value;

static void *t_fun(void *arg)
{
	clock_gettime(CLOCK_MONOTONIC, &now); // RACE
	sscanf("7", "%d", &value);            // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	long t;

	pthread_create(&id, NULL, t_fun, NULL);
	t = now.tv_sec; // RACE
	t += value;     // RACE
	pthread_join(id, NULL);
	return t == 1;
}
