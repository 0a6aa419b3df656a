/* Five philosophers with ordered forks. */
#include "t.h"

static pthread_mutex_t fork_[5];

static void *dine(void *arg)
{
	int self = (int)(intptr_t)arg, l = self, r = (self + 1) % 5;

	if (l > r) {
		int t = l;

		l = r;
		r = t;
	}
	for (int i = 0; i < 10; i++) {
		TRY0(pthread_mutex_lock(&fork_[l]));
		if (i % 3 == 0)
			sched_yield();
		TRY0(pthread_mutex_lock(&fork_[r]));
		say("%d eats\n", self);
		TRY0(pthread_mutex_unlock(&fork_[r]));
		TRY0(pthread_mutex_unlock(&fork_[l]));
		t_sleep_us(t_rand_in(0, 60));
	}
	return NULL;
}

int main(void)
{
	pthread_t th[5];

	for (int i = 0; i < 5; i++)
		TRY0(pthread_mutex_init(&fork_[i], NULL));
	for (intptr_t i = 0; i < 5; i++)
		TRY0(pthread_create(&th[i], NULL, dine, (void *)i));
	for (int i = 0; i < 5; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
