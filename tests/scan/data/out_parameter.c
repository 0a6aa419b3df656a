/* A helper stores through a parameter that two threads point at one global. */
#include <pthread.h>

static long last_error;

static int step(int n, long *ret)
{
	if (n < 0) {
		*ret = n; // RACE
		return -1;
	}
	return 0;
}

static void *forward(void *arg)
{
	step(-1, &last_error);
	return NULL;
}

static void *backward(void *arg)
{
	long own = 0;

	step(-2, &own);
	step(-3, &last_error);
	return (void *)own;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, forward, NULL);
	pthread_create(&b, NULL, backward, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return last_error == 0; // NORACE
}
