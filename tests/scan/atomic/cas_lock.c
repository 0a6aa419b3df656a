/* A lock made of compare-and-swap. */
#include <pthread.h>
#include <sched.h>

static int word;
static int guarded;

static void lock_word(void)
{
	while (!__sync_bool_compare_and_swap(&word, 0, 1))
		sched_yield();
}

static void unlock_word(void)
{
	__sync_lock_release(&word);
}

static void *worker(void *arg)
{
	lock_word();
	guarded++; // NORACE
	unlock_word();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return guarded; // NORACE
}
