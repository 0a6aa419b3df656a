/* Lazy initialisation: with and without the first look. */
#include <pthread.h>
#include <stdlib.h>

static int *once_p, *safe_p;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int *get_fast(void)
{
	if (!once_p) { // RACE
		pthread_mutex_lock(&m);
		if (!once_p)                   // NORACE
			once_p = calloc(1, 4); // RACE
		pthread_mutex_unlock(&m);
	}
	return once_p; // RACE
}

static int *get_safe(void)
{
	int *p;

	pthread_mutex_lock(&m);
	if (!safe_p)                   // NORACE
		safe_p = calloc(1, 4); // NORACE
	p = safe_p;                    // NORACE
	pthread_mutex_unlock(&m);
	return p;
}

static void *t_fun(void *arg)
{
	return get_fast() == get_safe() ? arg : NULL;
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
