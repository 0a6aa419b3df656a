/* Two threads run the same function. */
#include <pthread.h>

static int n;

static void *t_fun(void *arg)
{
	n++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n; // NORACE
}
