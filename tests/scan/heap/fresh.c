/* Every thread allocates for itself: same line, different objects. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	char *data;
	size_t used;
};

static struct buffer *buffer_new(void)
{
	struct buffer *b = malloc(sizeof(*b));

	b->data = malloc(64); // NORACE
	b->used = 0;          // NORACE
	return b;
}

static void buffer_add(struct buffer *b, const char *s)
{
	size_t n = strlen(s);

	memcpy(b->data + b->used, s, n); // NORACE
	b->used += n;                    // NORACE
}

static void *worker(void *arg)
{
	struct buffer *b = buffer_new();

	for (int i = 0; i < 3; i++)
		buffer_add(b, "some text");
	free(b->data); // NORACE
	free(b);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
