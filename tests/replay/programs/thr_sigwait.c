/* One thread does nothing but sigwait, as daemons do; the others compute. */
#include "t.h"

static sigset_t set;
static volatile int stop;
static volatile uint64_t work[2];

static void *waiter(void *arg)
{
	int sig, n = 0;

	do {
		CHECK(sigwait(&set, &sig) == 0);
		say("%d: signal %d, work %lu %lu\n", ++n, sig, work[0], work[1]);
	} while (sig != SIGTERM);
	stop = 1;
	return arg;
}

static void *busy(void *arg)
{
	while (!stop)
		work[(intptr_t)arg]++;
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	TRY0(pthread_sigmask(SIG_BLOCK, &set, NULL));
	TRY0(pthread_create(&th[2], NULL, waiter, NULL));
	for (intptr_t i = 0; i < 2; i++)
		TRY0(pthread_create(&th[i], NULL, busy, (void *)i));
	for (int i = 0; i < 6; i++) {
		t_sleep_us(t_rand_in(200, 1500));
		TRY(kill(getpid(), SIGHUP));
	}
	TRY(kill(getpid(), SIGTERM));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
