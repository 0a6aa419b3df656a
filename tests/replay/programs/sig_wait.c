/* sigwait, sigwaitinfo and sigtimedwait take signals without a handler. */
#include "t.h"

int main(void)
{
	struct timespec ts = {0, 1500000}, zero = {0, 0};
	union sigval v;
	siginfo_t si;
	sigset_t set;
	int sig;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGRTMIN);
	TRY(sigprocmask(SIG_BLOCK, &set, NULL));
	pid = TRY(fork());
	if (!pid) {
		t_sleep_us(t_rand_in(100, 1500));
		TRY(kill(getppid(), SIGUSR1));
		v.sival_int = getpid();
		TRY(sigqueue(getppid(), SIGRTMIN, v));
		_exit(0);
	}
	CHECK(sigwait(&set, &sig) == 0);
	say("sigwait %d\n", sig);
	sig = TRY(sigwaitinfo(&set, &si));
	say("sigwaitinfo %d code %d pid %d value %d\n", sig, si.si_code, si.si_pid,
		si.si_value.sival_int);
	CHECK(t_wait(pid) == 0);
	CHECK(sigtimedwait(&set, &si, &ts) == -1 && errno == EAGAIN);
	say("nothing until %lu\n", t_now_ns());
	CHECK(sigtimedwait(&set, &si, &zero) == -1 && errno == EAGAIN);
	TRY(raise(SIGUSR1));
	CHECK(sigtimedwait(&set, &si, &ts) == SIGUSR1 && si.si_code == SI_USER);
	return 0;
}
