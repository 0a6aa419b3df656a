/* A spinlock made of atomic_flag, used as a lock. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int guarded, bare;

static void enter(void)
{
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		sched_yield();
}

static void leave(void)
{
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

static void *worker(void *arg)
{
	enter();
	guarded++; // NORACE
	leave();
	bare++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return guarded + bare; // NORACE
}
