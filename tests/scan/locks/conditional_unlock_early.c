/* One branch gives the lock back earlier than the others. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void f(int n)
{
	int locked = 1;

	pthread_mutex_lock(&m);
	a++; // NORACE
	if (n > 3) {
		pthread_mutex_unlock(&m);
		locked = 0;
	}
	b++; // RACE
	if (locked) {
		a++; // NORACE
		pthread_mutex_unlock(&m);
	}
}

static void *t_fun(void *arg)
{
	f(rand());
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	f(rand());
	pthread_join(id, NULL);
	return a + b; // NORACE
}
