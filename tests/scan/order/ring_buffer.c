/* A ring of slots: the index is taken under the lock, and the slot is written under it, too. */
#include <pthread.h>

#define SIZE 4

static int ring[SIZE];
static int head, tail, length;
static int last_seen;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;

static void put(int v)
{
	pthread_mutex_lock(&m);
	while (length == SIZE) // NORACE
		pthread_cond_wait(&not_full, &m);
	ring[head] = v;           // NORACE
	head = (head + 1) % SIZE; // NORACE
	length++;                 // NORACE
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&not_empty);
}

static int get(void)
{
	int v;

	pthread_mutex_lock(&m);
	while (length == 0) // NORACE
		pthread_cond_wait(&not_empty, &m);
	v = ring[tail];           // NORACE
	tail = (tail + 1) % SIZE; // NORACE
	length--;                 // NORACE
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&not_full);
	last_seen = v; // RACE
	return v;
}

static void *consumer(void *arg)
{
	for (int i = 0; i < 5; i++)
		get();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, consumer, NULL);
	pthread_create(&b, NULL, consumer, NULL);
	for (int i = 0; i < 10; i++)
		put(i);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return last_seen == 77; // NORACE
}
