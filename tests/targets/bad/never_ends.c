/* A server that nobody stops: one thread waits for a signal, the other for input that never comes.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *wait_for_input(void *arg)
{
	int ends[2];
	char c;

	if (pipe(ends) != 0)
		abort();
	while (read(ends[0], &c, 1) >= 0)
		;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_input, NULL);
	for (;;)
		pause();
}
