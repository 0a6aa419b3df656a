/* One thread announces numbers and another adds them up; both wait for their turn in a loop.
 *
 * kind: none */
#include <assert.h>
#include <pthread.h>

#define N 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int num, full;
static long total;

static void *announce(void *arg)
{
	for (int i = 1; i <= N; i++) {
		pthread_mutex_lock(&lock);
		while (full)
			pthread_cond_wait(&changed, &lock);
		num = i;
		full = 1;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *add_up(void *arg)
{
	for (int i = 1; i <= N; i++) {
		pthread_mutex_lock(&lock);
		while (!full)
			pthread_cond_wait(&changed, &lock);
		total += num;
		full = 0;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, announce, NULL);
	pthread_create(&b, NULL, add_up, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(total == N * (N + 1) / 2);
	return 0;
}
