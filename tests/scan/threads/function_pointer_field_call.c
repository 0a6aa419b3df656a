/* The thread calls what a struct member points to. */
#include <pthread.h>

struct task {
	void (*run)(int *);
	int *data;
};

static int hot, cold;

static void inc(int *p)
{
	(*p)++; // MISS RACE
}

static void nothing(int *p)
{
	(void)p;
}

static void *t_fun(void *arg)
{
	struct task *t = arg;

	t->run(t->data);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	struct task first = {inc, &hot}, second = {nothing, &cold};

	pthread_create(&a, NULL, t_fun, &first);
	pthread_create(&b, NULL, t_fun, &second);
	hot++;  // MISS RACE
	cold++; // NORACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
