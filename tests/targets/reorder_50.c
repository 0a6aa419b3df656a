/* The pair of numbers of reorder_3.c with forty-nine setters: the window is as small as there,
 * and there are many more threads that may close it.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define SETTERS 49

static int a, b;

static void *setter(void *arg)
{
	(void)arg;
	a = 1;  /* BUG */
	b = -1; /* BUG */
	return NULL;
}

static void *checker(void *arg)
{
	(void)arg;
	assert((a == 0 && b == 0) || (a == 1 && b == -1)); /* BUG */
	return NULL;
}

int main(void)
{
	pthread_t setters[SETTERS], last;

	for (int i = 0; i < SETTERS; i++)
		pthread_create(&setters[i], NULL, setter, NULL);
	pthread_create(&last, NULL, checker, NULL);
	for (int i = 0; i < SETTERS; i++)
		pthread_join(setters[i], NULL);
	pthread_join(last, NULL);
	return 0;
}
