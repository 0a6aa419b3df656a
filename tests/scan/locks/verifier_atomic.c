/* Sections that a verifier takes for atomic. */
// norun
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int x, y;

static void *t_fun(void *arg)
{
	int k = __VERIFIER_nondet_int();

	__VERIFIER_atomic_begin();
	x = k; // NORACE
	__VERIFIER_atomic_end();
	y = k; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	__VERIFIER_atomic_begin();
	if (x > 10) // NORACE
		reach_error();
	__VERIFIER_atomic_end();
	y = 1; // RACE
	pthread_join(id, NULL);
	return 0;
}
