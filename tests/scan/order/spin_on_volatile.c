/* A home-made wait on a plain variable, and one on an atomic. */
#include <pthread.h>
#include <stdatomic.h>
#include <sched.h>

static int plain_go;
static atomic_int atomic_go;
static int a, b;

static void *t_fun(void *arg)
{
	a = 1;        // RACE
	plain_go = 1; // RACE
	b = 1;        // NORACE
	atomic_store(&atomic_go, 1);
	return NULL;
}

int main(void)
{
	pthread_t id;
	int n = 0;

	pthread_create(&id, NULL, t_fun, NULL);
	while (!plain_go && n++ < 1000) // RACE
		sched_yield();
	a++; // RACE
	while (!atomic_load(&atomic_go))
		sched_yield();
	b++; // NORACE
	pthread_join(id, NULL);
	return 0;
}
