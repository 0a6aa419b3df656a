/* One writes, one only reads. */
#include <pthread.h>
#include <stdio.h>

static int progress;

static void *t_fun(void *arg)
{
	for (int i = 0; i < 100; i++)
		progress = i; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	if (progress > 50) // RACE
		puts("half");
	pthread_join(id, NULL);
	printf("%d\n", progress); // NORACE
	return 0;
}
