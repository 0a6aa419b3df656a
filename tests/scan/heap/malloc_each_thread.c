/* Every thread has memory of its own from the same malloc(). */
#include <pthread.h>
#include <stdlib.h>

struct buffer {
	int used;
	char text[16];
};

static void *t_fun(void *arg)
{
	struct buffer *b = malloc(sizeof(*b));
	int n;

	b->used = 0; // NORACE
	for (int i = 0; i < 10; i++)
		b->text[b->used++] = 'x'; // NORACE
	n = b->used;                      // NORACE
	free(b);
	return (void *)(long)n;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, t_fun, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
