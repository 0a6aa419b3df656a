/* The threads tell their ids themselves: who joins those that he finds has not joined the others.
 */
#include <pthread.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t ids[N];
static int n, sum;

static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	ids[n++] = pthread_self(); // NORACE
	pthread_mutex_unlock(&m);
	sum++; // RACE
	return NULL;
}

static void *cleaner(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_t id;

		pthread_mutex_lock(&m);
		id = i < n ? ids[i] : 0; // NORACE
		pthread_mutex_unlock(&m);
		if (id)
			pthread_join(id, NULL);
	}
	return (void *)(long)sum; // RACE
}

int main(void)
{
	pthread_t id, last;

	pthread_create(&last, NULL, cleaner, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&id, NULL, worker, NULL);
	pthread_join(last, NULL);
	return 0;
}
