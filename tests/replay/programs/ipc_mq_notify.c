/* mq_notify: the arrival of a message in an empty queue sends a signal. */
#include "t.h"
#include <mqueue.h>

static volatile sig_atomic_t got;

static void on_message(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("signal %d code %d value %d from %d\n", sig, si->si_code, si->si_value.sival_int,
		si->si_pid);
	got = 1;
}

int main(void)
{
	struct mq_attr attr = {.mq_maxmsg = 2, .mq_msgsize = 16};
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	char name[64], buf[16];
	sigset_t old;
	pid_t pid;
	mqd_t q;

	snprintf(name, sizeof(name), "/replay.%d.%016lx", getpid(), t_rand());
	q = TRY(mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &attr));
	TRY(mq_unlink(name));
	t_on_info(SIGUSR1, on_message, 0);
	sigemptyset(&old);
	t_block(SIGUSR1, SIG_BLOCK);
	ev.sigev_value.sival_int = (int)(t_rand() % 1000000);
	TRY(mq_notify(q, &ev));
	pid = TRY(fork());
	if (!pid) {
		t_sleep_us(t_rand_in(100, 2000));
		TRY(mq_send(q, "hello", 5, 0));
		_exit(0);
	}
	while (!got)
		sigsuspend(&old);
	CHECK(mq_receive(q, buf, sizeof(buf), NULL) == 5);
	CHECK(t_wait(pid) == 0);
	return 0;
}
