/* The second thread cannot be created: what the first one uses is freed. */
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg)
{
	return (void *)(long)*(int *)arg; // RACE
}

int main(void)
{
	int *shared = calloc(1, sizeof(*shared)), error;
	pthread_t a, b;

	error = pthread_create(&a, NULL, reader, shared);
	if (error != 0)
		goto out;
	error = pthread_create(&b, NULL, reader, shared);
	if (error != 0)
		goto out;
	pthread_join(b, NULL);
	pthread_join(a, NULL);
out:
	free(shared); // RACE
	return error;
}
