/* Each thread has a struct of its own from an allocated array. */
#include <pthread.h>
#include <stdlib.h>

struct info {
	int id;
	long sum;
	long *total;
	pthread_mutex_t *lock;
};

static long total, wrong;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *t_fun(void *arg)
{
	struct info *in = arg;

	for (int i = 0; i < 10; i++)
		in->sum += i * in->id; // NORACE
	pthread_mutex_lock(in->lock);
	*in->total += in->sum; // NORACE
	pthread_mutex_unlock(in->lock);
	wrong += in->sum; // RACE
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc + 3;
	pthread_t *tid = malloc(n * sizeof(*tid));
	struct info *infos = calloc(n, sizeof(*infos));

	for (int i = 0; i < n; i++) {
		infos[i].id = i;         // NORACE
		infos[i].total = &total; // NORACE
		infos[i].lock = &lock;   // NORACE
		pthread_create(&tid[i], NULL, t_fun, &infos[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(tid[i], NULL);
	return total + wrong > 3; // NORACE
}
