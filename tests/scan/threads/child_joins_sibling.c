/* The second thread joins the first and goes on with its data. */
#include <pthread.h>

static int n;
static pthread_t t1;

static void *first(void *arg)
{
	n = 1; // NORACE
	return NULL;
}

static void *second(void *arg)
{
	pthread_join(t1, NULL);
	n = 2; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t t2;

	pthread_create(&t1, NULL, first, NULL);
	pthread_create(&t2, NULL, second, NULL);
	pthread_join(t2, NULL);
	return n; // NORACE
}
