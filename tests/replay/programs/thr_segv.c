/* Each of four threads faults and recovers on its own stack. */
#include "t.h"

static __thread sigjmp_buf env;
static __thread void *volatile where;

static void on_segv(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)ctx;
	where = si->si_addr;
	siglongjmp(env, 1);
}

static void *body(void *arg)
{
	for (volatile int i = 0; i < 10; i++) {
		volatile char *volatile p = (char *)(t_rand() % 4096);

		if (!sigsetjmp(env, 1)) {
			*p = 1;
			t_fail(__FILE__, __LINE__, "no fault");
		}
		CHECK(where == p);
		say("thread %ld at %p\n", (long)(intptr_t)arg, where);
	}
	return NULL;
}

int main(void)
{
	pthread_t th[4];

	t_on_info(SIGSEGV, on_segv, 0);
	for (intptr_t i = 0; i < 4; i++)
		TRY0(pthread_create(&th[i], NULL, body, (void *)i));
	for (int i = 0; i < 4; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
