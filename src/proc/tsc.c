#include "proc/tsc.h"

#include <errno.h>
#include <linux/prctl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define SCALE_NS 10000000u

static _Thread_local bool forgone;
static struct sigaction before;
static bool handled;

static bool reads_counter(const uint8_t *code)
{
	return (code[0] == 0x0f && code[1] == 0x31) ||
	       (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9);
}

static void on_fault(int sig, siginfo_t *si, void *context)
{
	const ucontext_t *uc = context;
	int saved = errno;

	(void)sig;
	/* A general protection fault, at an instruction: its bytes can be read. */
	if (forgone && si->si_code == SI_KERNEL &&
		reads_counter((const uint8_t *)uc->uc_mcontext.gregs[REG_RIP])) {
		prctl(PR_SET_TSC, PR_TSC_ENABLE);
		forgone = false;
	} else {
		sigaction(SIGSEGV, &before, NULL); /* it faults again */
	}
	errno = saved;
}

void dh_tsc_forgo(void)
{
	struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};

	if (forgone)
		return;
	if (!handled && sigaction(SIGSEGV, &sa, &before) < 0)
		return;
	handled = true;
	forgone = prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
}

void dh_tsc_regain(void)
{
	if (forgone)
		prctl(PR_SET_TSC, PR_TSC_ENABLE);
	forgone = false;
	if (handled)
		sigaction(SIGSEGV, &before, NULL);
	handled = false;
}

static uint64_t read_counter(uint32_t *ret_aux)
{
	bool again = forgone;
	uint64_t value;

	if (again)
		prctl(PR_SET_TSC, PR_TSC_ENABLE);
	value = __builtin_ia32_rdtscp(ret_aux);
	if (again)
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
	return value;
}

/* Not by way of the vDSO, which reads the counter. */
static uint64_t nanoseconds(void)
{
	struct timespec ts;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* How the counter goes with the clock, from two readings some time apart. */
static _Thread_local struct {
	uint64_t value, ns;
	uint32_t aux;
	double per_ns; /* 0: not known yet */
	uint64_t last; /* that was told: the next is larger */
} scale;

uint64_t dh_tsc_read(uint32_t *ret_aux)
{
	uint64_t ns = nanoseconds(), value;

	if (scale.per_ns > 0) {
		value = scale.value + (uint64_t)((double)(ns - scale.ns) * scale.per_ns);
		*ret_aux = scale.aux;
	} else {
		value = read_counter(ret_aux);
		if (!scale.ns) {
			scale.value = value;
			scale.ns = ns;
			scale.aux = *ret_aux;
		} else if (ns - scale.ns > SCALE_NS) {
			scale.per_ns = (double)(value - scale.value) / (double)(ns - scale.ns);
		}
	}
	scale.last = DH_MAX(value, scale.last + 1);
	return scale.last;
}
