/* Two setters write a pair of numbers, a checker compares them.  A checker between the two writes
 * sees half a pair.
 *
 * kind: data-race
 * harm: assertion */
#include <assert.h>
#include <pthread.h>

#define SETTERS 2

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
