/* A stack of nodes with compare and swap on its head. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next;
};

static _Atomic(struct node *) top;
static int pushes;

static void push(int v)
{
	struct node *n = malloc(sizeof(*n));
	struct node *old = atomic_load(&top);

	n->v = v; // NORACE
	do
		n->next = old; // NORACE
	while (!atomic_compare_exchange_weak(&top, &old, n));
	pushes++; // RACE
}

static void *t_fun(void *arg)
{
	push(1);
	push(2);
	return NULL;
}

int main(void)
{
	pthread_t a, b;
	int sum = 0;

	pthread_create(&a, NULL, t_fun, NULL);
	pthread_create(&b, NULL, t_fun, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (struct node *n = top; n; n = n->next) // NORACE
		sum += n->v;                       // NORACE
	return sum == pushes;                      // NORACE
}
