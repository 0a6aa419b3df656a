/* __sync builtins and plain accesses. */
#include <pthread.h>

static int counter, mixed, token;
static long wide;

static void *t_fun(void *arg)
{
	__sync_fetch_and_add(&counter, 1); // NORACE
	__sync_fetch_and_add(&mixed, 1);   // RACE
	while (!__sync_bool_compare_and_swap(&token, 0, 1))
		;
	wide++; // NORACE
	__sync_lock_release(&token);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	mixed = 3; // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return counter + mixed; // NORACE
}
