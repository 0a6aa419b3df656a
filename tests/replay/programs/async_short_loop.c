/* The shortest loop there is: two bytes, left only by the handler. */
#include "async.h"

static sigjmp_buf env;

static void on_alarm(int sig, siginfo_t *si, void *ctx)
{
	async_hits++;
	async_say(ctx);
	siglongjmp(env, sig + si->si_code);
}

int main(void)
{
	t_on_info(SIGALRM, on_alarm, 0);
	sigsetjmp(env, 1);
	if (async_more()) {
		async_arm();
		__asm__ volatile("1: jmp 1b");
	}
	say("end %d\n", async_hits);
	return 0;
}
