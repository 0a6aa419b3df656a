/* Threads map and unmap at the same time; addresses are printed. */
#include "t.h"

static void *body(void *arg)
{
	uint64_t mix = 0;

	for (int i = 0; i < 60; i++) {
		size_t n = (size_t)t_rand_in(1, 20) * 4096;
		char *m = TRY(
			mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

		m[n - 1] = (char)i;
		mix = mix * 31 + (uintptr_t)m;
		if (i % 3 == 0)
			TRY(mprotect(m, 4096, PROT_READ));
		TRY(munmap(m, n));
	}
	say("thread %ld mix %016lx\n", (long)(intptr_t)arg, mix);
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	for (intptr_t i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
