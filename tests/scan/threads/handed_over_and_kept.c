/* The giver goes on writing into what it gave away. */
#include <pthread.h>
#include <stdlib.h>

struct request {
	int size, sent;
};

static void *serve(void *arg)
{
	struct request *r = arg;

	r->size++;   // NORACE
	r->sent = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct request *r = malloc(sizeof(*r));
	int sent;

	r->size = 5; // NORACE
	r->sent = 0; // NORACE
	pthread_create(&t, NULL, serve, r);
	r->sent = 2; // RACE
	pthread_join(t, NULL);
	sent = r->sent; // NORACE
	free(r);
	return sent;
}
