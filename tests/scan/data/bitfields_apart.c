/* A zero-width bit-field starts a new word, so the two are separate locations. */
#include <pthread.h>

static struct {
	unsigned open : 1;
	unsigned : 0;
	unsigned dirty : 1;
} state;

static void *opener(void *arg)
{
	state.open = 1; // NORACE
	return NULL;
}

static void *writer(void *arg)
{
	state.dirty = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, opener, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return state.open + state.dirty; // NORACE
}
