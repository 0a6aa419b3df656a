/* A lock is given back through a variable that names one of two: the one that is meant is not
 * certainly held afterwards, and a lock that is never in the variable is. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER,
		       third = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *chosen;
static int a, b;

static void *other(void *arg)
{
	pthread_mutex_lock(&left);
	a++; // RACE
	pthread_mutex_unlock(&left);
	pthread_mutex_lock(&third);
	b++; // NORACE
	pthread_mutex_unlock(&third);
	return NULL;
}

static void choose(int n)
{
	if (n)
		chosen = &left;
	else
		chosen = &right;
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&third);
	pthread_mutex_lock(&left);
	pthread_mutex_unlock(chosen);
	a++; // RACE
	b++; // NORACE
	pthread_mutex_unlock(&third);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	choose(argc);
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, other, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
