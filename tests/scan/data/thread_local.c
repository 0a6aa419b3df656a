/* Thread-local storage, in the language and by keys, is not shared. */
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int depth;
static __thread char scratch[32];
static pthread_key_t key;

static void enter(void)
{
	int *calls = pthread_getspecific(key);

	depth++;          // NORACE
	scratch[0] = 'a'; // NORACE
	*calls += 1;      // NORACE
}

static void *worker(void *arg)
{
	int *calls = calloc(1, sizeof(*calls));

	pthread_setspecific(key, calls);
	for (int i = 0; i < 10; i++)
		enter();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_key_create(&key, free);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	depth = 5; // NORACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return depth;
}
