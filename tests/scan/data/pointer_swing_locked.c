/* The pointee is used within the section. */
#include <pthread.h>
#include <stdlib.h>

struct config {
	int limit;
};

static struct config *current;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tuner(void *arg)
{
	struct config *c;

	pthread_mutex_lock(&m);
	c = current; // NORACE
	c->limit++;  // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	current = calloc(1, sizeof(*current));
	pthread_create(&a, NULL, tuner, NULL);
	pthread_create(&b, NULL, tuner, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return current->limit; // NORACE
}
