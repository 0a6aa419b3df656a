/* qsort() calls back and writes the array. */
#include <pthread.h>
#include <stdlib.h>

static int shared[4] = {3, 1, 2, 0};
static int compares, safe_compares;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int by_value(const void *a, const void *b)
{
	compares++; // RACE
	pthread_mutex_lock(&m);
	safe_compares++; // NORACE
	pthread_mutex_unlock(&m);
	return *(const int *)a - *(const int *)b; // MAYBE RACE
}

static void *t_fun(void *arg)
{
	qsort(shared, 4, sizeof(int), by_value); // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;
	int own[3] = {3, 2, 1};

	pthread_create(&id, NULL, t_fun, NULL);
	qsort(own, 3, sizeof(int), by_value); // NORACE
	if (shared[0] == 5)                   // RACE
		return 1;
	pthread_join(id, NULL);
	return 0;
}
