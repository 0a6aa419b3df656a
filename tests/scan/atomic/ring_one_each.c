/* One producer, one consumer: two counters order the slots of a ring. */
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 64

static int slots[SIZE];
static atomic_uint head, tail;
static unsigned dropped;

static int push(int v)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed); // NORACE
	unsigned h = atomic_load_explicit(&head, memory_order_acquire); // NORACE

	if (t - h == SIZE) {
		dropped++; // NORACE
		return 0;
	}
	slots[t % SIZE] = v;                                       // MISS NORACE
	atomic_store_explicit(&tail, t + 1, memory_order_release); // NORACE
	return 1;
}

static int pop(int *v)
{
	unsigned h = atomic_load_explicit(&head, memory_order_relaxed); // NORACE
	unsigned t = atomic_load_explicit(&tail, memory_order_acquire); // NORACE

	if (h == t)
		return 0;
	*v = slots[h % SIZE];                                      // MISS NORACE
	atomic_store_explicit(&head, h + 1, memory_order_release); // NORACE
	return 1;
}

static void *consumer(void *arg)
{
	long sum = 0;

	for (int n = 0, v; n < 1000;)
		if (pop(&v)) {
			sum += v;
			n++;
		}
	return (void *)sum;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, consumer, NULL);
	for (int i = 0; i < 1000;)
		i += push(i);
	pthread_join(t, NULL);
	return (int)dropped; // NORACE
}
