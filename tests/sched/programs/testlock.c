/* A lock that looks before it takes: whoever waits does so in a loop, and its owner lets go. */
#include <pthread.h>
#include <stdatomic.h>
#define THREADS 3
#define TIMES   3
static atomic_int lock;
static int count;
static void take(void)
{
	while (atomic_exchange(&lock, 1))  /* take */
		while (atomic_load(&lock)) /* look */
			;
}
static void *worker(void *p)
{
	for (int i = 0; i < TIMES; i++) {
		take();
		count++;
		atomic_store(&lock, 0); /* let go */
	}
	return p;
}
int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return count != THREADS * TIMES;
}
