/* aba_stack.c, mended: a generation number is exchanged together with the head.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define NODES 3
#define NONE  0xff

static atomic_long head = 0; /* generation << 8 | node */
static atomic_int next[NODES] = {1, 2, NONE};
static atomic_int taken[NODES];

static int pop(void)
{
	long first = atomic_load(&head), after;

	do {
		if ((first & 0xff) == NONE)
			return NONE;
		after = ((first >> 8) + 1) << 8 | atomic_load(&next[first & 0xff]);
	} while (!atomic_compare_exchange_strong(&head, &first, after));
	assert(atomic_fetch_add(&taken[first & 0xff], 1) == 0);
	return (int)(first & 0xff);
}

static void push(int node)
{
	long first = atomic_load(&head), after;

	atomic_fetch_sub(&taken[node], 1);
	do {
		atomic_store(&next[node], (int)(first & 0xff));
		after = ((first >> 8) + 1) << 8 | node;
	} while (!atomic_compare_exchange_strong(&head, &first, after));
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
