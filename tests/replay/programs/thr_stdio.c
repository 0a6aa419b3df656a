/* Threads share stdout through stdio's lock. */
#include "t.h"

static void *body(void *arg)
{
	for (int i = 0; i < 40; i++) {
		flockfile(stdout);
		printf("thread %ld ", (long)(intptr_t)arg);
		printf("line %d\n", i);
		funlockfile(stdout);
		if (i % 10 == 0)
			fflush(stdout);
	}
	return NULL;
}

int main(void)
{
	pthread_t th[4];

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
