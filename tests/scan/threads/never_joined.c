/* The main thread does not wait. */
#include <pthread.h>
#include <stdio.h>

static int n;

static void *t_fun(void *arg)
{
	n = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a;

	n = 0; // NORACE
	pthread_create(&a, NULL, t_fun, NULL);
	printf("%d\n", n); // RACE
	return 0;
}
