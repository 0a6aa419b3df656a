/* The thread is created by a function that main calls: what comes before is alone. */
#include <pthread.h>

static pthread_t id;
static int n;

static void *t_fun(void *arg)
{
	n++; // RACE
	return NULL;
}

static void start(void)
{
	pthread_create(&id, NULL, t_fun, NULL);
}

static void bump(void)
{
	n++; // RACE
}

int main(void)
{
	n = 5; // NORACE
	start();
	bump();
	pthread_join(id, NULL);
	n++; // NORACE
	return n;
}
