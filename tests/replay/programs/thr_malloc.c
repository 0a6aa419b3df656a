/* Threads allocate and free across arenas; addresses are printed. */
#include "t.h"

static void *body(void *arg)
{
	void *slot[64] = {0};
	uint64_t mix = 0;

	for (int i = 0; i < 2000; i++) {
		unsigned k = (unsigned)(i * 7 + (intptr_t)arg) % 64;

		free(slot[k]);
		slot[k] = malloc((size_t)(i * 13 % 5000 + 1));
		CHECK(slot[k]);
		memset(slot[k], i, 1);
		mix = mix * 31 + (uintptr_t)slot[k];
	}
	for (int i = 0; i < 64; i++)
		free(slot[i]);
	say("thread %ld mix %016lx\n", (long)(intptr_t)arg, mix);
	return malloc(100);
}

int main(void)
{
	pthread_t th[4];
	void *p;

	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++) {
		TRY0(pthread_join(th[i], &p));
		say("%p\n", p);
		free(p);
	}
	return 0;
}
