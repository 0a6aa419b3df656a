/* As many threads as the user says; ids in memory from malloc. */
#include <pthread.h>
#include <stdlib.h>

static int *partial, n_threads, grand;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	int id = *(int *)arg; // NORACE

	partial[id] = id * id; // NORACE
	pthread_mutex_lock(&m);
	grand += partial[id]; // NORACE
	pthread_mutex_unlock(&m);
	n_threads--; // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t *t;
	int *ids;

	n_threads = argc > 1 ? atoi(argv[1]) : 4; // NORACE
	int n = n_threads;                        // NORACE

	t = malloc(n * sizeof(*t));
	ids = malloc(n * sizeof(*ids));
	partial = calloc(n, sizeof(*partial)); // NORACE
	for (int i = 0; i < n; i++) {
		ids[i] = i; // NORACE
		pthread_create(&t[i], NULL, worker, &ids[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return grand + partial[0]; // NORACE
}
