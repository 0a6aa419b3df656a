/* A hundred short threads one after another; some stacks and ids come back. */
#include "t.h"

static void *body(void *arg)
{
	*(uint64_t *)arg = *(uint64_t *)arg * 31 + (uint64_t)gettid() + (uintptr_t)&arg;
	return arg;
}

int main(void)
{
	uint64_t mix = 0;
	pthread_t th;

	for (int i = 0; i < 100; i++) {
		TRY0(pthread_create(&th, NULL, body, &mix));
		TRY0(pthread_join(th, NULL));
		if (i % 10 == 0)
			say("%d %016lx\n", i, mix);
	}
	return 0;
}
