/* What happens when pthread_create fails. */
#include <pthread.h>
#include <stdio.h>

int result, fallback;

void *t_fun(void *arg)
{
	result = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	int rc = pthread_create(&id, NULL, t_fun, NULL);

	if (rc != 0) {
		fprintf(stderr, "no thread\n");
		result = 2; // NORACE
		return 1;
	}
	fallback = 1; // NORACE
	if (pthread_join(id, NULL) == 0)
		result = 3; // NORACE
	return fallback;
}
