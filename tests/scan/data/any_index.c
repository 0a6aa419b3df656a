/* A table that every thread indexes as it likes. */
#include <pthread.h>
#include <stdint.h>

static unsigned histogram[16];

static void *count(void *arg)
{
	uintptr_t seed = (uintptr_t)arg;

	for (int i = 0; i < 1000; i++) {
		seed = seed * 1103515245 + 12345;
		histogram[(seed >> 16) & 15]++; // RACE
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, (void *)(i + 7));
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return histogram[0] == 0; // NORACE
}
