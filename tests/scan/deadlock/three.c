/* A cycle of three threads. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t c = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

static void *first(void *arg)
{
	pthread_mutex_lock(&a);
	x++;                    // NORACE
	pthread_mutex_lock(&b); // DEADLOCK
	y++;                    // NORACE
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return NULL;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&b);
	y++;                    // NORACE
	pthread_mutex_lock(&c); // DEADLOCK
	z++;                    // NORACE
	pthread_mutex_unlock(&c);
	pthread_mutex_unlock(&b);
	return NULL;
}

static void *third(void *arg)
{
	pthread_mutex_lock(&c);
	z++;                    // NORACE
	pthread_mutex_lock(&a); // DEADLOCK
	x++;                    // NORACE
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&c);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	pthread_create(&t[2], NULL, third, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return x + y + z;
}
