/* A search returns out of the loop; every way out gives the lock back first. */
#include <pthread.h>

#define N 16

static int table[N];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int find(int what)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < N; i++) {
		if (table[i] == what) { // NORACE
			pthread_mutex_unlock(&m);
			return i;
		}
		if (table[i] == -1) // NORACE
			break;
	}
	pthread_mutex_unlock(&m);
	return -1;
}

static void put(int at, int what)
{
	if (at < 0 || at >= N)
		return;
	pthread_mutex_lock(&m);
	table[at] = what; // NORACE
	pthread_mutex_unlock(&m);
}

static void *t_fun(void *arg)
{
	put(find(0), 7);
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	put(find(0), 8);
	pthread_join(id, NULL);
	return table[0]; // NORACE
}
