/* A volatile stop flag, and a volatile counter. */
#include <pthread.h>
#include <sched.h>

static volatile int stop;
static volatile int ticks;
static int work;

static void *t_fun(void *arg)
{
	while (!stop) {  // NORACE
		work++;  // RACE
		ticks++; // RACE
		sched_yield();
	}
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	stop = 1; // NORACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return work == ticks; // NORACE
}
