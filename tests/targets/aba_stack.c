/* Compare-and-swap on a stack's head cannot tell that the same node came back: between the
 * reading of the next pointer and the exchange another thread takes two nodes and puts the first
 * one back.
 *
 * kind: atomicity-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define NONE  0xff

static atomic_int head = 0;
static atomic_int next[NODES] = {1, 2, NONE};
static atomic_int taken[NODES];

static int pop(void)
{
	int first = atomic_load(&head); /* BUG */

	do {
		if (first == NONE)
			return NONE;
	} while (!atomic_compare_exchange_strong(
		&head, &first, atomic_load(&next[first]))); /* BUG */
	assert(atomic_fetch_add(&taken[first], 1) == 0);
	return first;
}

static void push(int node)
{
	int first = atomic_load(&head);

	atomic_fetch_sub(&taken[node], 1);
	do
		atomic_store(&next[node], first);
	while (!atomic_compare_exchange_strong(&head, &first, node));
}

static void *popper(void *arg)
{
	pop();
	pop();
	return arg;
}

static void *recycler(void *arg)
{
	int a = pop();

	pop();
	if (a != NONE)
		push(a);
	return arg;
}

int main(void)
{
	pthread_t one, two;

	pthread_create(&one, NULL, popper, NULL);
	pthread_create(&two, NULL, recycler, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
