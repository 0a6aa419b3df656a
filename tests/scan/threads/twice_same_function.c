/* One function, two threads, two arguments: a local of each, a global of both. */
#include <pthread.h>

int global;

static void add(int *to, int n)
{
	*to += n; // NORACE
}

static void add_global(int *to, int n)
{
	*to += n; // RACE
}

void *t_fun(void *arg)
{
	int local = 0;

	add(&local, 1);
	add(arg, 1);
	add_global(&global, local);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int x = 0, y = 0;

	pthread_create(&a, NULL, t_fun, &x);
	pthread_create(&b, NULL, t_fun, &y);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x + y + global; // NORACE
}
