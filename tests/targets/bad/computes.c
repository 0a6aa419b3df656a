/* Threads that compute for long between two synchronisations: where every access is a point, a run
 * has a thousand times as many as the undisturbed one. */
#include <pthread.h>
#include <stdlib.h>

#define WORDS  1000
#define ROUNDS 700

static void *compute(void *seed)
{
	unsigned *words = calloc(WORDS, sizeof(*words));

	words[0] = *(unsigned *)seed;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 1; i < WORDS; i++)
			words[i] = words[i - 1] * 5 + words[i];
	}
	*(unsigned *)seed = words[WORDS - 1];
	free(words);
	return NULL;
}

int main(void)
{
	unsigned seeds[2] = {1, 1};
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, compute, &seeds[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return seeds[0] != seeds[1];
}
