/* Reference counting: the last one to drop it may use it alone. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct blob {
	atomic_int refs;
	int size;
};

static void drop(struct blob *b)
{
	if (atomic_fetch_sub(&b->refs, 1) == 1) // NORACE
		free(b);
}

static void *reader(void *arg)
{
	struct blob *b = arg;
	long n = b->size; // NORACE

	drop(b);
	return (void *)n;
}

int main(void)
{
	struct blob *b = malloc(sizeof(*b));
	pthread_t t[2];

	b->size = 12;             // NORACE
	atomic_init(&b->refs, 2); // NORACE
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, reader, b);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
