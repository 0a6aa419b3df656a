/* Out-of-band data raises SIGURG and is read apart. */
#include "inet.h"

static volatile sig_atomic_t urgent;

static void on_urg(int sig, siginfo_t *si, void *ctx)
{
	(void)ctx;
	say("signal %d code %d\n", sig, si->si_code);
	urgent = 1;
}

int main(void)
{
	struct sockaddr_in a;
	int l = inet_bound(SOCK_STREAM, &a), c, s;
	sigset_t old;
	char b[8];

	c = inet_dial(&a);
	s = TRY(accept(l, NULL, NULL));
	t_on_info(SIGURG, on_urg, 0);
	TRY(fcntl(s, F_SETOWN, getpid()));
	sigemptyset(&old);
	t_block(SIGURG, SIG_BLOCK);
	CHECK(send(c, "abc", 3, 0) == 3);
	CHECK(send(c, "!", 1, MSG_OOB) == 1);
	while (!urgent)
		sigsuspend(&old);
	CHECK(recv(s, b, 1, MSG_OOB) == 1 && b[0] == '!');
	say("at mark %d\n", sockatmark(s));
	CHECK(recv(s, b, sizeof(b), 0) == 3);
	say("at mark %d port %d\n", sockatmark(s), ntohs(a.sin_port));
	return 0;
}
