/* pthread_once: the initialiser runs once, and before all who come behind it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;
static int uses;

static void setup(void)
{
	table = calloc(16, sizeof(*table)); // NORACE
	table[0] = 7;                       // NORACE
}

static int get(int i)
{
	pthread_once(&once, setup);
	uses++;          // RACE
	return table[i]; // NORACE
}

static void *t_fun(void *arg)
{
	return (void *)(long)get(1);
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	get(0);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
