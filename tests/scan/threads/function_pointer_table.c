/* The thread function and what it calls come from a table of pointers. */
#include <pthread.h>

int a, b, c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void with_lock(void)
{
	pthread_mutex_lock(&m);
	a++; // NORACE
	pthread_mutex_unlock(&m);
}

static void without_lock(void)
{
	b++; // RACE
}

static void never(void)
{
	c++; // NORACE
}

struct ops {
	const char *name;
	void (*fn)(void);
};

struct ops ops[] = {{"with", with_lock}, {"without", without_lock}};
struct ops other_ops[] = {{"never", never}};

void *t_fun(void *arg)
{
	struct ops *o = arg;

	o->fn();
	return NULL;
}

int main(void)
{
	pthread_t t1, t2;
	void *(*start)(void *) = t_fun;

	other_ops[0].fn();
	pthread_create(&t1, NULL, start, &ops[0]);
	pthread_create(&t2, NULL, start, &ops[1]);
	for (int i = 0; i < 2; i++)
		ops[i].fn();
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
