/* Instructions whose result differs from run to run: whether the kernel lets us catch them. */
#include <asm/prctl.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor/probe.h"

static sigjmp_buf back;

static void on_segv(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

/* Whether running the instruction raises SIGSEGV. */
static bool faults(void (*instruction)(void))
{
	struct sigaction sa = {.sa_handler = on_segv};

	sigaction(SIGSEGV, &sa, NULL);
	if (sigsetjmp(back, 1))
		return true;
	instruction();
	return false;
}

static void read_tsc(void)
{
	(void)__builtin_ia32_rdtsc();
}

static void read_cpuid(void)
{
	unsigned a = 0, b, c = 0, d;

	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
}

void dh_probe_tsc(struct dh_probe_result *ret)
{
	int r = prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) < 0 ? errno : 0;

	if (r == 0 && faults(read_tsc)) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "rdtsc can be caught");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "rdtsc is not caught%s%s", r ? ": " : "",
		r ? strerror(r) : "");
	dh_probe_mend(ret, "programs that read the time stamp counter may replay differently; "
			   "allow prctl(PR_SET_TSC)");
}

void dh_probe_cpuid(struct dh_probe_result *ret)
{
	int r = syscall(SYS_arch_prctl, ARCH_SET_CPUID, 0) < 0 ? errno : 0;

	if (r == 0 && faults(read_cpuid)) {
		dh_probe_says(ret, DH_HEALTH_WORKS, "cpuid can be caught");
		return;
	}
	dh_probe_says(ret, DH_HEALTH_MISSING, "cpuid is not caught: %s",
		r ? strerror(r) : "it still runs");
	dh_probe_mend(
		ret, "nothing here; replay a recording on the kind of processor that made it");
}
