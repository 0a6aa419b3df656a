/* kill, raise, tgkill to oneself: delivered before the call returns. */
#include "t.h"

static volatile sig_atomic_t last, code;

static void on_sig(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	last = sig;
	code = si->si_code;
	say("%d from %d code %d\n", sig, si->si_pid, si->si_code);
}

int main(void)
{
	static const int sigs[] = {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGCHLD,
		SIGWINCH, SIGURG, SIGIO, SIGPWR, SIGTSTP, SIGCONT, SIGSEGV, SIGABRT};

	for (unsigned i = 0; i < sizeof(sigs) / sizeof(sigs[0]); i++) {
		t_on_info(sigs[i], on_sig, 0);
		TRY(kill(getpid(), sigs[i]));
		CHECK(last == sigs[i] && code == SI_USER);
		TRY(raise(sigs[i]));
		CHECK(code == SI_TKILL);
		last = 0;
		TRY(tgkill(getpid(), gettid(), sigs[i]));
		CHECK(last == sigs[i]);
	}
	TRY(kill(0, 0));
	CHECK(kill(999999, 0) == -1 && errno == ESRCH);
	return 0;
}
