/* Fifty threads at once, each adding to its own and a common number. */
#include "t.h"

static uint64_t common;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *body(void *arg)
{
	uint64_t own = 0;

	for (int i = 0; i < 200; i++) {
		own += (uint64_t)(intptr_t)arg * (unsigned)i;
		if (i % 50 == 0) {
			TRY0(pthread_mutex_lock(&m));
			common = common * 31 + own;
			TRY0(pthread_mutex_unlock(&m));
			sched_yield();
		}
	}
	return NULL;
}

int main(void)
{
	pthread_t th[50];

	for (intptr_t i = 0; i < 50; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 50; i++)
		TRY0(pthread_join(th[i], NULL));
	say("common %016lx\n", common);
	return 0;
}
