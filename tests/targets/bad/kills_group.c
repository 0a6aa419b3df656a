/* Ends its whole process group: deadheat must not be in it. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	kill(0, SIGKILL);
	return 0;
}
