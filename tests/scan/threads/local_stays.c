/* Locals whose address goes only to functions of the same thread. */
#include <pthread.h>

static void bump(int *p)
{
	*p += 1; // NORACE
}

static void *worker(void *arg)
{
	int mine = 0;
	int *p = &mine;

	for (int i = 0; i < 10; i++)
		bump(p);
	*p = mine + 1; // NORACE
	return (void *)(long)mine;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
