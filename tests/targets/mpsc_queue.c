/* Several producers append to a linked queue: the tail is exchanged first and the link set
 * afterwards.  The consumer takes an unlinked tail for the end of the queue, and leaves an item
 * behind.
 *
 * kind: order-violation
 * harm: assertion */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
	_Atomic(struct node *) next;
};

static struct node stub, items[2];
static _Atomic(struct node *) tail = &stub;
static atomic_int appended;
static int taken;

static void *producer(void *arg)
{
	struct node *n = arg, *before;

	atomic_fetch_add(&appended, 1);
	before = atomic_exchange(&tail, n); /* BUG */
	atomic_store(&before->next, n);     /* BUG */
	return NULL;
}

static void *consumer(void *arg)
{
	struct node *at = &stub;

	if (atomic_load(&tail) == &stub)
		return arg;
	while ((at = atomic_load(&at->next))) /* BUG */
		taken++;
	assert(taken > 0);
	return arg;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, producer, &items[0]);
	pthread_create(&threads[1], NULL, producer, &items[1]);
	pthread_create(&threads[2], NULL, consumer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	assert(taken <= appended);
	return 0;
}
