/* A loop, but each instance is joined within its round. */
#include <pthread.h>

static int arrivals;

static void *arrive(void *arg)
{
	arrivals++; // NORACE
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		pthread_t t;

		pthread_create(&t, NULL, arrive, NULL);
		pthread_join(t, NULL);
	}
	return arrivals; // NORACE
}
