/* pthread_once() fills the table, everybody reads it. */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[8], calls;

static void fill(void)
{
	for (int i = 0; i < 8; i++)
		table[i] = i * i; // NORACE
}

static int square(int i)
{
	pthread_once(&once, fill);
	calls++;         // RACE
	return table[i]; // NORACE
}

static void *t_fun(void *arg)
{
	return (void *)(long)square(3);
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
