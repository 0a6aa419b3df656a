/* Neighbouring bit-fields share a word: an update of one rewrites the other. */
#include <pthread.h>

static struct {
	unsigned open : 1;
	unsigned dirty : 1;
	unsigned mode : 6;
} state;

static void *opener(void *arg)
{
	state.open = 1; // RACE
	return NULL;
}

static void *writer(void *arg)
{
	state.dirty = 1; // RACE
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
