/* One of three ways out forgets the unlock, another unlocks too early. */
#include <pthread.h>
#include <stdlib.h>
// allow: lock-misuse

int table[4];
int used;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int add(int v)
{
	int rc = -1;

	pthread_mutex_lock(&m);
	if (used >= 4) { // RACE
		pthread_mutex_unlock(&m);
		return -1;
	}
	if (v < 0) {
		pthread_mutex_unlock(&m);
		used = 0; // RACE
		goto out;
	}
	table[used] = v; // RACE
	used++;          // RACE
	rc = 0;
	pthread_mutex_unlock(&m);
out:
	return rc;
}

void *t_fun(void *arg)
{
	add(rand());
	add(-rand());
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
