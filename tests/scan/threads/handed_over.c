/* A heap object is filled, given to one thread, and not touched again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct request {
	char name[16];
	int size;
};

static void *serve(void *arg)
{
	struct request *r = arg;

	r->size += (int)strlen(r->name); // NORACE
	free(r);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++) {
		struct request *r = malloc(sizeof(*r));

		strcpy(r->name, "get"); // NORACE
		r->size = i;            // NORACE
		pthread_create(&t[i], NULL, serve, r);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
