/* A bounded buffer: the wait gives the lock back and has it again afterwards. */
#include <pthread.h>

#define N 4

static int items[N], count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void put(int v)
{
	pthread_mutex_lock(&m);
	while (count == N) // NORACE
		pthread_cond_wait(&not_full, &m);
	items[count++] = v; // NORACE
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&m);
}

static int get(void)
{
	int v;

	pthread_mutex_lock(&m);
	while (count == 0) // NORACE
		pthread_cond_wait(&not_empty, &m);
	v = items[--count]; // NORACE
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&m);
	return v;
}

static void *producer(void *arg)
{
	for (int i = 1; i <= 10; i++)
		put(i);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int sum = 0;

	pthread_create(&t, NULL, producer, NULL);
	for (int i = 0; i < 10; i++)
		sum += get();
	pthread_join(t, NULL);
	return sum != 55;
}
