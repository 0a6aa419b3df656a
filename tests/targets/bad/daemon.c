/* Puts itself into the background and lives on for a while, as servers do. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	if (daemon(0, 0) != 0)
		abort();
	sleep(600);
	return 0;
}
