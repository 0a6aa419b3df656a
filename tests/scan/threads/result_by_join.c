/* The result travels through pthread_exit and pthread_join. */
#include <pthread.h>
#include <stdlib.h>

struct result {
	int sum;
};

static void *adder(void *arg)
{
	struct result *r = malloc(sizeof(*r));
	int n = *(int *)arg; // NORACE

	r->sum = 0; // NORACE
	for (int i = 0; i <= n; i++)
		r->sum += i; // NORACE
	pthread_exit(r);
}

int main(void)
{
	int n[2] = {10, 20}, sum = 0;
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, adder, &n[i]);
	for (int i = 0; i < 2; i++) {
		void *p;
		struct result *r;

		pthread_join(t[i], &p);
		r = p;
		sum += r->sum; // NORACE
		free(r);
	}
	return sum != 265;
}
