/* The end of a task: what the kernel does on its behalf, and the log of it. */
#include "record/recorder.h"

#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"

#define ROBUST_MAX 2048 /* as in the kernel */

struct robust_head {
	uint64_t next;
	int64_t offset;
	uint64_t pending;
};

uint64_t dh_exit_robust_list(pid_t tid)
{
	void *head = NULL;
	size_t len;

	if (syscall(SYS_get_robust_list, tid, &head, &len) < 0)
		return 0;
	return (uint64_t)(uintptr_t)head;
}

/* The kernel marks a robust futex whose owner dies; it knows the owner by its real thread id, which
 * differs in a replay, so the change is logged. */
static uint64_t mark_owner_died(struct recorder *r, struct task *t, uint64_t addr, uint64_t n)
{
	uint32_t word;

	if (dh_tracee_read(&t->t, addr, &word, sizeof(word)) < 0 ||
		(word & FUTEX_TID_MASK) != (uint32_t)t->t.tid)
		return n;
	word = (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
	dh_ev_put_write(&r->writes, addr, &word, sizeof(word));
	return n + 1;
}

static uint64_t robust_writes(struct recorder *r, struct task *t)
{
	uint64_t list = dh_exit_robust_list(t->t.tid), entry, n = 0;
	struct robust_head head;

	if (!list || dh_tracee_read(&t->t, list, &head, sizeof(head)) < 0)
		return 0;
	entry = head.next & ~1ull;
	for (int i = 0; i < ROBUST_MAX && entry && entry != list; i++) {
		uint64_t next;

		if (entry != (head.pending & ~1ull))
			n = mark_owner_died(r, t, entry + (uint64_t)head.offset, n);
		if (dh_tracee_read(&t->t, entry & ~1ull, &next, sizeof(next)) < 0)
			break;
		entry = next & ~1ull;
	}
	if (head.pending)
		n = mark_owner_died(r, t, (head.pending & ~1ull) + (uint64_t)head.offset, n);
	return n;
}

/* The state letter of /proc, 'X' when the task is not there. */
static char state_of(pid_t pid, pid_t tid)
{
	char path[64], text[256], *close;
	ssize_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return 'X';
	n = (ssize_t)fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	if (n <= 0)
		return 'X';
	text[n] = '\0';
	close = strrchr(text, ')');
	return close ? close[2] : 'X';
}

static const struct timespec moment = {.tv_nsec = 20000};

bool dh_task_settles(pid_t pid, pid_t tid)
{
	for (int i = 0; i < 500; i++) {
		if (state_of(pid, tid) != 'R')
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

bool dh_task_sleeps(pid_t pid, pid_t tid)
{
	char state = state_of(pid, tid);

	return state == 'S' || state == 'D';
}

/* The kernel clears the thread id word and wakes a joiner after this stop: the others of the
 * group must not run before that has happened. */
static void wait_until_gone(struct task *t)
{
	for (int i = 0; i < 20000; i++) {
		char state = state_of(t->process->pid, t->t.tid);

		if (state == 'Z' || state == 'X')
			return;
		nanosleep(&moment, NULL);
	}
}

void dh_exit_stop(struct recorder *r, struct task *t)
{
	struct dh_ev_exit e = {0};
	unsigned long status = 0;
	uint64_t n;

	dh_tracee_event(&t->t, &status);
	e.status = (int)status;
	e.killed = !(t->in_call && (t->nr == SYS_exit || t->nr == SYS_exit_group));
	if (e.killed)
		dh_call_killed(r, t);
	dh_buf_clear(&r->writes);
	n = t->group->n_tasks > 1 || t->process->has_shared ? robust_writes(r, t) : 0;
	dh_ev_put_exit(&r->payload, &e, &r->writes, n);
	dh_rec_log(r, t, DH_EV_EXIT);
	t->state = TASK_DYING;
	dh_call_vfork_over(r, t);
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	if (t->group->n_tasks > 1) {
		wait_until_gone(t);
		dh_group_leave(r, t);
	}
}
