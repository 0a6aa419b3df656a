/* pthread_once with five contenders; the winner is named. */
#include "t.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread long self;
static int runs;

static void init(void)
{
	say("thread %ld initialises at %lu\n", self, t_now_ns());
	t_sleep_us(300);
	runs++;
}

static void *body(void *arg)
{
	self = (long)(intptr_t)arg;
	t_sleep_us(t_rand_in(0, 100));
	TRY0(pthread_once(&once, init));
	CHECK(runs == 1);
	return NULL;
}

int main(void)
{
	pthread_t th[5];

	for (intptr_t i = 0; i < 5; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 5; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
