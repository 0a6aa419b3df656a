/* Handlers that never come back to the wait that they interrupt: siglongjmp, and at last exec.
 * ends: 7 */
#include "buf.h"

static sigjmp_buf out;
static char **args;
static int left = 20;

static void on_alarm(int sig)
{
	(void)sig;
	if (left-- > 0)
		siglongjmp(out, 1);
	execl(args[0], args[0], "again", (char *)NULL);
	_exit(T_FAILED);
}

int main(int argc, char **argv)
{
	volatile int jumps = 0;
	struct buf b;

	if (argc > 1) {
		say("executed by %d at %lu\n", getpid(), t_now_ns());
		return 7;
	}
	args = argv;
	args[0] = (char *)"/proc/self/exe";
	buf_open(&b);
	buf_warm(&b);
	t_on(SIGALRM, on_alarm, SA_RESTART);
	if (sigsetjmp(out, 1))
		say("jump %d at %lu\n", ++jumps, t_now_ns());
	buf_strike(1);
	for (;;)
		buf_wait(&b, (enum buf_kind)(jumps % BUF_KINDS), -1);
}
