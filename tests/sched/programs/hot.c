/* Two threads go through arrays; at the end of each pass they touch a shared sum without a lock.
 * Then one waits for the other in a loop of plain reads, over more than one variable. */
#include <pthread.h>
#define N 20000
static double a[2][N], b[N];
static double sum;
static int turns[128];
static void *worker(void *p)
{
	double *mine = a[(long)p];
	for (int pass = 0; pass < 20; pass++) {
		for (int i = 0; i < N; i++)
			mine[i] += b[i] * 2 + i;
		sum += mine[pass]; /* shared */
	}
	if (p) {
		*(volatile int *)&turns[100] = 1;
		return NULL;
	}
	for (int seen = 0; !seen;)
		for (int i = 0; i < 128; i++)
			seen |= *(volatile int *)&turns[i];
	return NULL;
}
int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
