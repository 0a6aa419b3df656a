/* Threads work on rows of a matrix that is allocated. */
#include <pthread.h>
#include <stdlib.h>

#define N 4

static int **matrix;
static int sums[N], max;

static void *row(void *arg)
{
	long r = (long)arg;

	for (int c = 0; c < N; c++)
		sums[r] += matrix[r][c]; // NORACE
	if (sums[r] > max)               // RACE
		max = sums[r];           // RACE
	return NULL;
}

int main(void)
{
	pthread_t t[N];

	matrix = malloc(N * sizeof(*matrix));
	for (int i = 0; i < N; i++) {
		matrix[i] = malloc(N * sizeof(int));
		for (int j = 0; j < N; j++)
			matrix[i][j] = i * j; // NORACE
	}
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, row, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return max; // NORACE
}
