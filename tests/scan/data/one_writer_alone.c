/* One thread, one instance: what only it touches is its own. */
#include <pthread.h>

static int progress;
static int done[2];

static void *solo(void *arg)
{
	for (int i = 0; i < 100; i++)
		progress++; // NORACE
	return NULL;
}

static void *other(void *arg)
{
	done[1] = 1; // NORACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, solo, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return progress + done[1]; // NORACE
}
