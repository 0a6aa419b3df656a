/* Fails in every run, whatever the schedule: nothing that could be blamed on one. */
#include <pthread.h>
#include <stdio.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	fprintf(stderr, "no configuration\n");
	return 5;
}
