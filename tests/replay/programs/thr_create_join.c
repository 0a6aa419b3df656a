/* Ten threads are made and joined; each returns a number of its own. */
#include "t.h"

static void *body(void *arg)
{
	say("thread %ld tid %d\n", (long)(intptr_t)arg, gettid());
	return (void *)((intptr_t)arg * 100 + 7);
}

int main(void)
{
	pthread_t th[10];
	void *ret;

	for (intptr_t i = 0; i < 10; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (intptr_t i = 0; i < 10; i++) {
		TRY0(pthread_join(th[i], &ret));
		CHECK((intptr_t)ret == i * 100 + 7);
	}
	CHECK(pthread_tryjoin_np(pthread_self(), NULL) != 0);
	return 0;
}
