/* C11 atomics, gcc builtins, and a plain neighbour. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int c11;
static int builtin, plain;
static _Atomic long wide;

static void *t_fun(void *arg)
{
	c11++;                                             // NORACE
	__atomic_fetch_add(&builtin, 1, __ATOMIC_RELAXED); // NORACE
	atomic_fetch_sub(&wide, 2);                        // NORACE
	plain++;                                           // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	atomic_store(&c11, 4);             // NORACE
	__sync_fetch_and_add(&builtin, 1); // NORACE
	wide = 5;                          // NORACE
	plain--;                           // RACE
	pthread_join(id, NULL);
	return c11; // NORACE
}
