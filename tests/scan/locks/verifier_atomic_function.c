/* A function whose name begins with __VERIFIER_atomic_ runs in one go. */
// norun
#include <pthread.h>

extern void abort(void);
static int lock_word, counter, loose;

static void assume_abort_if_not(int cond)
{
	if (!cond)
		abort();
}

static void __VERIFIER_atomic_acquire(void)
{
	assume_abort_if_not(lock_word == 0); // NORACE
	lock_word = 1;                       // NORACE
}

static void __VERIFIER_atomic_add(int n)
{
	counter += n; // NORACE
}

static void *t_fun(void *arg)
{
	__VERIFIER_atomic_acquire();
	__VERIFIER_atomic_add(1);
	loose++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	__VERIFIER_atomic_add(2);
	loose++; // RACE
	pthread_join(id, NULL);
	return 0;
}
