/* One traced thread: what ptrace can do to it while it is stopped.
 * The caller owns the waiting (waitpid) and knows when the thread is stopped; these functions do
 * not wait, except where they say so.  All calls from the one thread that traces.
 * -ESRCH everywhere means: the thread is gone (killed), which is never the caller's mistake. */
#pragma once
#include "base/forward.h"
#include "isa/regs.h"

#include <signal.h>
#include <sys/types.h>

struct dh_tracee {
	pid_t tid;
	int mem_fd;       /* /proc/TID/mem, opened on first need; -1 before */
	uint64_t resumed; /* how often */
};

/* How to go on. */
enum dh_resume {
	DH_RESUME_CONT,    /* to the next seccomp stop, signal or event */
	DH_RESUME_SYSCALL, /* to the next entry or exit of a system call as well */
	DH_RESUME_STEP,    /* one instruction */
};

/* What a wait status says about a stopped or ended thread. */
enum dh_stop_kind {
	DH_STOP_EXITED,    /* gone: exit code or signal in code */
	DH_STOP_SECCOMP,   /* entry of a system call that the filter selected */
	DH_STOP_SYSCALL,   /* entry or exit, asked for by DH_RESUME_SYSCALL */
	DH_STOP_CLONE,     /* fork, vfork or clone has made a child: event message has its tid */
	DH_STOP_EXEC,      /* exec has replaced the image; event message has the former tid */
	DH_STOP_EXITING,   /* about to die; memory is still there */
	DH_STOP_GROUP,     /* job-control stop: code is the signal */
	DH_STOP_INTERRUPT, /* asked for by dh_tracee_interrupt(), or first stop of a new thread */
	DH_STOP_SIGNAL,    /* about to receive a signal: code is its number */
};

struct dh_stop {
	enum dh_stop_kind kind;
	int code;
	int status; /* raw wait status */
};

struct dh_stop dh_stop_classify(int status);

void dh_tracee_init(struct dh_tracee *t, pid_t tid);
void dh_tracee_release(struct dh_tracee *t);

/* Attaches to a thread that the caller has forked; options as both recorder and replayer need. */
int dh_tracee_seize(struct dh_tracee *t);
int dh_tracee_resume(struct dh_tracee *t, enum dh_resume how, int signal);
int dh_tracee_listen(struct dh_tracee *t); /* stay in a job-control stop */
int dh_tracee_interrupt(struct dh_tracee *t);
int dh_tracee_event(struct dh_tracee *t, unsigned long *ret);
/* Waits for this thread alone; 0, or -ESRCH. */
int dh_tracee_wait(struct dh_tracee *t, struct dh_stop *ret);

/* The signals that its process ignores. */
uint64_t dh_tracee_ignored(pid_t tid);
/* Nanoseconds that the thread has run; 0 where the kernel does not say. */
uint64_t dh_tracee_cpu_time(pid_t tid);

int dh_tracee_get_regs(struct dh_tracee *t, struct dh_regs *ret);
int dh_tracee_set_regs(struct dh_tracee *t, const struct dh_regs *r);
/* Extended state, at most DH_XSTATE_MAX bytes; the size. */
#define DH_XSTATE_MAX 16384
int dh_tracee_get_xstate(struct dh_tracee *t, void *ret, size_t size);
int dh_tracee_set_xstate(struct dh_tracee *t, const void *p, size_t size);
int dh_tracee_get_siginfo(struct dh_tracee *t, siginfo_t *ret);
int dh_tracee_set_siginfo(struct dh_tracee *t, const siginfo_t *si);
int dh_tracee_get_sigmask(struct dh_tracee *t, uint64_t *ret);
int dh_tracee_set_sigmask(struct dh_tracee *t, uint64_t mask);
/* Whether a signal will strike as soon as it goes on: one is pending and not blocked. */
bool dh_tracee_has_signal(struct dh_tracee *t);

/* Whole ranges or -EFAULT.  Writing ignores page protection. */
int dh_tracee_read(struct dh_tracee *t, uint64_t addr, void *p, size_t n);
int dh_tracee_write(struct dh_tracee *t, uint64_t addr, const void *p, size_t n);
/* Several ranges in one go: all of them, or -EFAULT. */
struct dh_range {
	uint64_t addr;
	void *p;
	size_t n;
};
int dh_tracee_read_ranges(struct dh_tracee *t, const struct dh_range *ranges, size_t n);
int dh_tracee_write_ranges(struct dh_tracee *t, const struct dh_range *ranges, size_t n);
/* Up to n bytes: stops at the first page that is not there; the count. */
ssize_t dh_tracee_read_some(struct dh_tracee *t, uint64_t addr, void *p, size_t n);
/* NUL-terminated string of at most size - 1 bytes. */
int dh_tracee_read_string(struct dh_tracee *t, uint64_t addr, char *ret, size_t size);

/* Makes the stopped thread perform one system call from the landing page, which must be mapped,
 * and puts its registers back.  Waits.  The result, or -errno of the call itself; -ESRCH when the
 * thread died meanwhile (*ret untouched). */
int dh_tracee_syscall(struct dh_tracee *t, int64_t *ret, int64_t nr, uint64_t a0, uint64_t a1,
	uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5);
/* The same for several, one after the other, with one stop: each gets its result. */
struct dh_landing_call;
int dh_tracee_syscalls(struct dh_tracee *t, struct dh_landing_call *calls, size_t n);
