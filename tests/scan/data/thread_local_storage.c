/* __thread variables are everybody's own. */
#include <pthread.h>

static __thread int mine;
static _Thread_local struct {
	int a;
} ours;
static int theirs;

static void *t_fun(void *arg)
{
	mine++;   // NORACE
	ours.a++; // NORACE
	theirs++; // RACE
	return NULL;
}

int main(void)
{
	pthread_t id;

	pthread_create(&id, NULL, t_fun, NULL);
	mine++;   // NORACE
	ours.a++; // NORACE
	theirs++; // RACE
	pthread_join(id, NULL);
	return mine; // NORACE
}
