/* Reads its input to the end, as filters do. */
#include <pthread.h>
#include <stdio.h>

static void *drain(void *arg)
{
	while (getchar() != EOF)
		;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, drain, NULL);
	pthread_join(t, NULL);
	return 0;
}
