/* One plain counter, two threads, no lock at all. */
#include <pthread.h>
#include <stdio.h>

static int hits;

static void *visitor(void *arg)
{
	for (int i = 0; i < 100; i++)
		hits++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, NULL);
	pthread_create(&b, NULL, visitor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", hits); // NORACE
	return 0;
}
