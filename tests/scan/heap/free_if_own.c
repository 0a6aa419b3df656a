/* A buffer is one of a table, or, if it must be large, memory of its own; only that is freed. */
#include <pthread.h>
#include <stdlib.h>

struct buffer {
	int size, large;
	char data[16];
};

static struct buffer table[8];
static int used[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *arg)
{
	int sum = 0;

	pthread_mutex_lock(&m);
	for (int i = 0; i < 8; i++)
		if (used[i])                  // NORACE
			sum += table[i].size; // NORACE
	pthread_mutex_unlock(&m);
	return (void *)(long)sum;
}

static void work(int size, int slot)
{
	struct buffer *b = &table[slot];

	if (size > 16) {
		b = malloc(sizeof(*b));
		b->large = 1;
	}
	pthread_mutex_lock(&m);
	b->size = size; // NORACE
	used[slot] = 1; // NORACE
	pthread_mutex_unlock(&m);
	if (size > 16)
		free(b); // NORACE
}

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	for (int i = 0; i < 8; i++)
		work(argc * i * 4, i);
	pthread_join(t, NULL);
	return 0;
}
