/* A pool of four workers takes 80 jobs of random size. */
#include "t.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int next, ready, done[4];

static void *worker(void *arg)
{
	int self = (int)(intptr_t)arg;

	for (;;) {
		int job;

		TRY0(pthread_mutex_lock(&m));
		while (next == ready && ready < 80)
			TRY0(pthread_cond_wait(&more, &m));
		job = next < ready ? next++ : -1;
		TRY0(pthread_mutex_unlock(&m));
		if (job < 0)
			return NULL;
		for (volatile unsigned k = t_rand_in(0, 20000); k; k--)
			continue;
		done[self]++;
		say("%d:%d ", self, job);
	}
}

int main(void)
{
	pthread_t th[4];

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, worker, (void *)i));
	for (int i = 0; i < 80; i++) {
		TRY0(pthread_mutex_lock(&m));
		ready++;
		TRY0(pthread_cond_broadcast(&more));
		TRY0(pthread_mutex_unlock(&m));
	}
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	say("\n%d %d %d %d\n", done[0], done[1], done[2], done[3]);
	CHECK(done[0] + done[1] + done[2] + done[3] == 80);
	return 0;
}
