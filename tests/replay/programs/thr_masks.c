/* Per-thread masks steer a process-directed signal to the one thread that takes it. */
#include "t.h"

static pthread_t want;
static volatile sig_atomic_t got;
static pthread_barrier_t bar;

static void on_usr2(int sig)
{
	(void)sig;
	CHECK(pthread_equal(pthread_self(), want));
	got++;
}

static void *body(void *arg)
{
	sigset_t none;

	sigemptyset(&none);
	if (arg) {
		want = pthread_self();
		t_block(SIGUSR2, SIG_UNBLOCK);
	}
	pthread_barrier_wait(&bar);
	if (arg)
		while (got < 10)
			t_sleep_us(100);
	pthread_barrier_wait(&bar);
	return NULL;
}

int main(void)
{
	pthread_t th[3];

	t_on(SIGUSR2, on_usr2, 0);
	t_block(SIGUSR2, SIG_BLOCK);
	TRY0(pthread_barrier_init(&bar, NULL, 4));
	for (int i = 0; i < 3; i++)
		TRY0(pthread_create(&th[i], NULL, body, i == 1 ? &bar : NULL));
	pthread_barrier_wait(&bar);
	for (int i = 0; i < 10; i++) {
		int before = got;

		TRY(kill(getpid(), SIGUSR2));
		while (got == before)
			sched_yield();
		say("%d by thread 1 at %lu\n", got, t_now_ns());
	}
	pthread_barrier_wait(&bar);
	for (int i = 0; i < 3; i++)
		TRY0(pthread_join(th[i], NULL));
	return 0;
}
