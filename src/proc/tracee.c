#include "proc/tracee.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "wire/buffer.h"

#ifndef NT_PRSTATUS
#define NT_PRSTATUS 1
#endif
#ifndef NT_X86_XSTATE
#define NT_X86_XSTATE 0x202
#endif

#define STATUS_SIZE 8192
#define RANGES      64 /* in one call */

#define OPTIONS                                                                                    \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |  \
		PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_TRACESECCOMP |                  \
		PTRACE_O_EXITKILL)

static struct dh_stop classify_event(int status)
{
	int sig = WSTOPSIG(status);

	switch (status >> 16) {
	case PTRACE_EVENT_SECCOMP:
		return (struct dh_stop){DH_STOP_SECCOMP, 0, status};
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		return (struct dh_stop){DH_STOP_CLONE, status >> 16, status};
	case PTRACE_EVENT_EXEC:
		return (struct dh_stop){DH_STOP_EXEC, 0, status};
	case PTRACE_EVENT_EXIT:
		return (struct dh_stop){DH_STOP_EXITING, 0, status};
	case PTRACE_EVENT_STOP:
		if (sig != SIGTRAP)
			return (struct dh_stop){DH_STOP_GROUP, sig, status};
		return (struct dh_stop){DH_STOP_INTERRUPT, 0, status};
	default:
		return (struct dh_stop){DH_STOP_SIGNAL, sig, status};
	}
}

struct dh_stop dh_stop_classify(int status)
{
	if (!WIFSTOPPED(status))
		return (struct dh_stop){DH_STOP_EXITED, 0, status};
	if (status >> 16)
		return classify_event(status);
	if (WSTOPSIG(status) == (SIGTRAP | 0x80))
		return (struct dh_stop){DH_STOP_SYSCALL, 0, status};
	return (struct dh_stop){DH_STOP_SIGNAL, WSTOPSIG(status), status};
}

void dh_tracee_init(struct dh_tracee *t, pid_t tid)
{
	*t = (struct dh_tracee){.tid = tid, .mem_fd = -1};
}

void dh_tracee_release(struct dh_tracee *t)
{
	dh_closep(&t->mem_fd);
}

static int trace(int request, pid_t tid, uintptr_t addr, uintptr_t data)
{
	return ptrace(request, tid, addr, data) < 0 ? -errno : 0;
}

int dh_tracee_seize(struct dh_tracee *t)
{
	return trace(PTRACE_SEIZE, t->tid, 0, OPTIONS);
}

int dh_tracee_resume(struct dh_tracee *t, enum dh_resume how, int signal)
{
	static const int request[] = {
		[DH_RESUME_CONT] = PTRACE_CONT,
		[DH_RESUME_SYSCALL] = PTRACE_SYSCALL,
		[DH_RESUME_STEP] = PTRACE_SINGLESTEP,
	};

	t->resumed++;
	return trace(request[how], t->tid, 0, (uintptr_t)signal);
}

int dh_tracee_listen(struct dh_tracee *t)
{
	return trace(PTRACE_LISTEN, t->tid, 0, 0);
}

int dh_tracee_interrupt(struct dh_tracee *t)
{
	return trace(PTRACE_INTERRUPT, t->tid, 0, 0);
}

int dh_tracee_event(struct dh_tracee *t, unsigned long *ret)
{
	return trace(PTRACE_GETEVENTMSG, t->tid, 0, (uintptr_t)ret);
}

int dh_tracee_wait(struct dh_tracee *t, struct dh_stop *ret)
{
	int status;

	while (waitpid(t->tid, &status, __WALL) < 0) {
		if (errno != EINTR)
			return -ESRCH;
	}
	*ret = dh_stop_classify(status);
	return 0;
}

uint64_t dh_tracee_ignored(pid_t tid)
{
	char path[32], text[STATUS_SIZE];
	unsigned long long mask = 0;
	const char *at;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	text[n < 0 ? 0 : n] = '\0';
	at = strstr(text, "\nSigIgn:");
	if (at)
		sscanf(at + 8, " %llx", &mask);
	return mask;
}

uint64_t dh_tracee_cpu_time(pid_t tid)
{
	char path[48], text[64] = "";
	unsigned long long ns = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", tid, tid);
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0 || sscanf(text, "%llu", &ns) != 1)
		return 0;
	return ns;
}

int dh_tracee_get_regs(struct dh_tracee *t, struct dh_regs *ret)
{
	return trace(PTRACE_GETREGS, t->tid, 0, (uintptr_t)ret->word);
}

int dh_tracee_set_regs(struct dh_tracee *t, const struct dh_regs *r)
{
	return trace(PTRACE_SETREGS, t->tid, 0, (uintptr_t)r->word);
}

int dh_tracee_get_xstate(struct dh_tracee *t, void *ret, size_t size)
{
	struct iovec iov = {ret, size};
	int r = trace(PTRACE_GETREGSET, t->tid, NT_X86_XSTATE, (uintptr_t)&iov);

	return r < 0 ? r : (int)iov.iov_len;
}

int dh_tracee_set_xstate(struct dh_tracee *t, const void *p, size_t size)
{
	struct iovec iov = {(void *)p, size};

	return trace(PTRACE_SETREGSET, t->tid, NT_X86_XSTATE, (uintptr_t)&iov);
}

int dh_tracee_get_siginfo(struct dh_tracee *t, siginfo_t *ret)
{
	memset(ret, 0, sizeof(*ret));
	return trace(PTRACE_GETSIGINFO, t->tid, 0, (uintptr_t)ret);
}

int dh_tracee_set_siginfo(struct dh_tracee *t, const siginfo_t *si)
{
	return trace(PTRACE_SETSIGINFO, t->tid, 0, (uintptr_t)si);
}

int dh_tracee_get_sigmask(struct dh_tracee *t, uint64_t *ret)
{
	return trace(PTRACE_GETSIGMASK, t->tid, sizeof(*ret), (uintptr_t)ret);
}

int dh_tracee_set_sigmask(struct dh_tracee *t, uint64_t mask)
{
	return trace(PTRACE_SETSIGMASK, t->tid, sizeof(mask), (uintptr_t)&mask);
}

/* The signals that are pending for the thread, or for its whole process, as a mask. */
static uint64_t queued(struct dh_tracee *t, uint32_t flags)
{
	siginfo_t list[8];
	struct __ptrace_peeksiginfo_args from = {.flags = flags, .nr = DH_ARRAY_SIZE(list)};
	uint64_t mask = 0;
	long n;

	do {
		n = ptrace(PTRACE_PEEKSIGINFO, t->tid, &from, list);
		for (long i = 0; i < n; i++)
			mask |= 1ull << (list[i].si_signo - 1);
		from.off += DH_ARRAY_SIZE(list);
	} while (n == (long)DH_ARRAY_SIZE(list));
	return mask;
}

bool dh_tracee_has_signal(struct dh_tracee *t)
{
	uint64_t pending = queued(t, 0) | queued(t, PTRACE_PEEKSIGINFO_SHARED), blocked = 0;

	return pending && dh_tracee_get_sigmask(t, &blocked) == 0 && (pending & ~blocked);
}

static int open_mem(struct dh_tracee *t)
{
	char path[32];

	if (t->mem_fd >= 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/mem", t->tid);
	t->mem_fd = open(path, O_RDWR | O_CLOEXEC);
	return t->mem_fd < 0 ? -errno : 0;
}

ssize_t dh_tracee_read_some(struct dh_tracee *t, uint64_t addr, void *p, size_t n)
{
	struct iovec local = {p, n}, remote = {(void *)(uintptr_t)addr, n};
	ssize_t r = process_vm_readv(t->tid, &local, 1, &remote, 1, 0);

	return r < 0 ? 0 : r;
}

/* process_vm_readv is one call and respects protection; /proc/TID/mem does not, and needs an
 * open descriptor, which exec makes stale: so it is opened for the call when it is needed. */
static int mem_move(struct dh_tracee *t, uint64_t addr, void *p, size_t n, bool write)
{
	size_t done = 0;
	int r = 0;

	while (r == 0 && done < n) {
		ssize_t k =
			write ? pwrite(t->mem_fd, (char *)p + done, n - done, (off_t)(addr + done))
			      : pread(t->mem_fd, (char *)p + done, n - done, (off_t)(addr + done));

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			r = -EFAULT;
		else
			done += (size_t)k;
	}
	return r;
}

static int mem_transfer(struct dh_tracee *t, const struct dh_range *ranges, size_t n, bool write)
{
	int r;

	dh_closep(&t->mem_fd);
	r = open_mem(t);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = mem_move(t, ranges[i].addr, ranges[i].p, ranges[i].n, write);
	dh_closep(&t->mem_fd);
	return r;
}

int dh_tracee_read(struct dh_tracee *t, uint64_t addr, void *p, size_t n)
{
	if (n == 0 || dh_tracee_read_some(t, addr, p, n) == (ssize_t)n)
		return 0;
	return mem_transfer(t, &(struct dh_range){addr, p, n}, 1, false);
}

int dh_tracee_read_ranges(struct dh_tracee *t, const struct dh_range *ranges, size_t n)
{
	struct iovec local[RANGES], remote[RANGES];

	for (size_t i = 0; i < n; i += RANGES) {
		size_t count = DH_MIN(n - i, (size_t)RANGES), sum = 0;

		for (size_t k = 0; k < count; k++) {
			const struct dh_range *r = &ranges[i + k];

			local[k] = (struct iovec){r->p, r->n};
			remote[k] = (struct iovec){(void *)(uintptr_t)r->addr, r->n};
			sum += r->n;
		}
		if (process_vm_readv(t->tid, local, count, remote, count, 0) != (ssize_t)sum)
			return -EFAULT;
	}
	return 0;
}

int dh_tracee_write_ranges(struct dh_tracee *t, const struct dh_range *ranges, size_t n)
{
	return mem_transfer(t, ranges, n, true);
}

int dh_tracee_write(struct dh_tracee *t, uint64_t addr, const void *p, size_t n)
{
	struct iovec local = {(void *)p, n}, remote = {(void *)(uintptr_t)addr, n};

	if (n == 0 || process_vm_writev(t->tid, &local, 1, &remote, 1, 0) == (ssize_t)n)
		return 0;
	return mem_transfer(t, &(struct dh_range){addr, (void *)p, n}, 1, true);
}

int dh_tracee_read_string(struct dh_tracee *t, uint64_t addr, char *ret, size_t size)
{
	size_t done = 0;

	while (done + 1 < size) {
		size_t n = 4096 - ((addr + done) & 4095);
		ssize_t got;
		char *nul;

		n = DH_MIN(n, size - 1 - done);
		got = dh_tracee_read_some(t, addr + done, ret + done, n);
		if (got <= 0)
			return -EFAULT;
		nul = memchr(ret + done, '\0', (size_t)got);
		if (nul)
			return 0;
		done += (size_t)got;
	}
	ret[done] = '\0';
	return -ENAMETOOLONG;
}

static int run_injected(struct dh_tracee *t)
{
	struct dh_stop stop;
	int r;

	/* The call itself does not stop, its end does: int3.  Signals that arrive meanwhile were
	 * not asked for by this code: they stay pending, because they are blocked below. */
	r = dh_tracee_resume(t, DH_RESUME_CONT, 0);
	if (r < 0)
		return r;
	for (;;) {
		r = dh_tracee_wait(t, &stop);
		if (r < 0)
			return r;
		if (stop.kind == DH_STOP_EXITED || stop.kind == DH_STOP_EXITING)
			return -ESRCH;
		if (stop.kind == DH_STOP_SIGNAL && stop.code == SIGTRAP)
			return 0;
		if (stop.kind == DH_STOP_SIGNAL && stop.code == SIGSEGV)
			return -EFAULT; /* the landing area is not there */
		r = dh_tracee_resume(t, DH_RESUME_CONT, 0);
		if (r < 0)
			return r;
	}
}

/* Runs from *regs to the breakpoint, and puts `saved` back; *regs are those at the breakpoint. */
static int inject(struct dh_tracee *t, const struct dh_regs *saved, struct dh_regs *regs)
{
	uint64_t mask;
	int r = dh_tracee_get_sigmask(t, &mask);

	if (r < 0)
		return r;
	/* Everything but SIGTRAP waits: an injected call is not a place to receive a signal. */
	dh_tracee_set_sigmask(t, ~(1ull << (SIGTRAP - 1)));
	r = dh_tracee_set_regs(t, regs);
	if (r == 0)
		r = run_injected(t);
	if (r == 0)
		r = dh_tracee_get_regs(t, regs);
	if (r == 0)
		r = dh_tracee_set_regs(t, saved);
	if (r == 0)
		dh_tracee_set_sigmask(t, mask);
	return r;
}

int dh_tracee_syscall(struct dh_tracee *t, int64_t *ret, int64_t nr, uint64_t a0, uint64_t a1,
	uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5)
{
	const uint64_t args[] = {a0, a1, a2, a3, a4, a5};
	struct dh_regs saved, regs;
	int r = dh_tracee_get_regs(t, &saved);

	if (r < 0)
		return r;
	regs = saved;
	dh_regs_begin_syscall(&regs, nr, args, DH_LANDING_SYSCALL);
	r = inject(t, &saved, &regs);
	if (r == 0)
		*ret = dh_regs_result(&regs);
	return r;
}

int dh_tracee_syscalls(struct dh_tracee *t, struct dh_landing_call *calls, size_t n)
{
	const size_t size = n * sizeof(*calls);
	const uint64_t args[6] = {DH_LANDING_SCRATCH, DH_LANDING_SCRATCH + size};
	struct dh_regs saved, regs;
	int r = n > DH_LANDING_CALLS ? -E2BIG : dh_tracee_get_regs(t, &saved);

	if (r == 0)
		r = dh_tracee_write(t, DH_LANDING_SCRATCH, calls, size);
	if (r < 0 || !n)
		return r;
	regs = saved;
	dh_regs_begin_syscall(&regs, 0, args, DH_LANDING_BATCH);
	dh_regs_set_sp(&regs, DH_AREA_STACK_TOP);
	r = inject(t, &saved, &regs);
	return r < 0 ? r : dh_tracee_read(t, DH_LANDING_SCRATCH, calls, size);
}
