/* What the routine set up is changed again afterwards, and one reader does not call it. */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int limit, retries;

static void set_up(void)
{
	limit = 4;   // RACE
	retries = 3; // NORACE
}

static void *worker(void *arg)
{
	pthread_once(&once, set_up);
	retries--; // RACE
	return NULL;
}

static void *impatient(void *arg)
{
	return (void *)(long)limit; // RACE
}

int main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_create(&c, NULL, impatient, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return retries; // NORACE
}
