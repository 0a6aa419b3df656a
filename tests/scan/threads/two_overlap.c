/* The second thread starts when the first has ended; the third does not wait. */
#include <pthread.h>

int ab, bc;

void *a(void *arg)
{
	ab = 1; // NORACE
	return NULL;
}

void *b(void *arg)
{
	ab = 2; // NORACE
	bc = 2; // RACE
	return NULL;
}

void *c(void *arg)
{
	ab = ab + bc; // RACE
	return NULL;
}

void *d(void *arg)
{
	return NULL;
}

int main(void)
{
	pthread_t ta, tb, td;

	pthread_create(&ta, NULL, a, NULL);
	pthread_join(ta, NULL);
	pthread_create(&td, NULL, d, NULL);
	pthread_create(&tb, NULL, b, NULL);
	bc = 3; // RACE
	pthread_join(tb, NULL);
	pthread_create(&tb, NULL, c, NULL);
	bc = 4; // RACE
	pthread_join(tb, NULL);
	pthread_join(td, NULL);
	return ab; // NORACE
}
