/* main returns while other threads run: how much they printed is left to chance. */
#include "t.h"

static void *body(void *arg)
{
	for (uint64_t i = 0;; i++) {
		if (i % 20000 == 0)
			say("thread %ld at %lu\n", (long)(intptr_t)arg, i);
	}
	return NULL;
}

int main(void)
{
	pthread_t th;

	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th, NULL, body, (void *)i));
	say("main sleeps at %lu\n", t_now_ns());
	t_sleep_us(t_rand_in(500, 3000));
	return 0;
}
