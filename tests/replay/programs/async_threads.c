/* Two threads compute; a process-wide timer hits whichever is running. */
#define ASYNC_WANTED 120
#include "async.h"

static __thread volatile uint64_t mine;

static void on_alarm(int sig, siginfo_t *si, void *ctx)
{
	say("thread %s mine %lu ", gettid() == getpid() ? "main" : "other", mine);
	async_handler(sig, si, ctx);
}

static void *spin(void *arg)
{
	while (async_more())
		mine++;
	return arg;
}

int main(void)
{
	pthread_t th;

	t_on_info(SIGALRM, on_alarm, SA_RESTART);
	TRY0(pthread_create(&th, NULL, spin, NULL));
	async_arm();
	spin(NULL);
	TRY0(pthread_join(th, NULL));
	return 0;
}
