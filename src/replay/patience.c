/* How long a search for a point may last.  A point that the task never comes to (the program reads
 * something that no recorder sees, the recording was made on another machine) would otherwise be
 * looked for as long as the program loops, which may be for ever. */
#include "replay/patience.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <time.h>

#include "proc/tracee.h"

/* The task's own time may be this many times that of the recording, and some seconds beside: the
 * test at each visit makes the tightest loops some ten times slower, those of x87 code twenty. */
#define TIMES     50u
#define BESIDE_NS 5000000000ull
/* The same for what passes on the clock: each false match costs up to some milliseconds. */
#define CLOCK_TIMES   2000u
#define CLOCK_BESIDE  120000000000ull
#define LOOK_INTERVAL 1

static volatile sig_atomic_t searching;

/* The tracer's own thread: the task stops, and dh_patience_over() is asked. */
static void on_alarm(int sig)
{
	int saved = errno;

	(void)sig;
	if (searching > 0)
		ptrace(PTRACE_INTERRUPT, (pid_t)searching, 0, 0);
	errno = saved;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void dh_patience_begin(struct dh_patience *p, pid_t tid, uint64_t recorded_ns, bool fast)
{
	struct sigaction sa = {.sa_handler = on_alarm};
	struct itimerval it = {{LOOK_INTERVAL, 0}, {LOOK_INTERVAL, 0}};

	*p = (struct dh_patience){.tid = tid,
		.recorded = recorded_ns,
		.fast = fast,
		.cpu = dh_tracee_cpu_time(tid),
		.clock = now_ns()};
	sigaction(SIGALRM, &sa, NULL);
	searching = (sig_atomic_t)tid;
	setitimer(ITIMER_REAL, &it, NULL);
}

void dh_patience_end(struct dh_patience *p)
{
	if (!p->tid)
		return;
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	searching = 0;
	p->tid = 0;
}

bool dh_patience_over(const struct dh_patience *p, double *ret_seconds)
{
	uint64_t clock = now_ns() - p->clock, cpu = dh_tracee_cpu_time(p->tid) - p->cpu;

	*ret_seconds = (double)clock * 1e-9;
	/* Where each visit stops the task its own time says little. */
	if (p->fast && cpu > p->recorded * TIMES + BESIDE_NS)
		return true;
	return clock > p->recorded * CLOCK_TIMES + CLOCK_BESIDE;
}
