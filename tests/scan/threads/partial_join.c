/* Only one of the two writers is joined before the result is read. */
#include <pthread.h>

static int a_done, b_done;

static void *a_thread(void *arg)
{
	a_done = 1; // NORACE
	return NULL;
}

static void *b_thread(void *arg)
{
	b_done = 1; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int result;

	pthread_create(&a, NULL, a_thread, NULL);
	pthread_create(&b, NULL, b_thread, NULL);
	pthread_join(a, NULL);
	result = a_done;  // NORACE
	result += b_done; // RACE
	pthread_join(b, NULL);
	return result;
}
