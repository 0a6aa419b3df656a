/* Which descriptors of the program are the recorder's own standard output and error: what was
 * written there is shown again by a replay. */
#include "record/recorder.h"

#include <linux/kcmp.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool same_file(pid_t pid, int fd, int ours)
{
	struct stat a, b;
	char path[64];
	long r = syscall(SYS_kcmp, getpid(), pid, KCMP_FILE, ours, fd);

	if (r >= 0)
		return r == 0;
	/* A kernel without kcmp: the same file is the best that can be known. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	return stat(path, &a) == 0 && fstat(ours, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Bits of enum dh_ev_syscall_flag, and one of our own. */
#define ECHO   (DH_EV_ECHO_OUT | DH_EV_ECHO_ERR)
#define MEMORY 0x100u

static unsigned look(struct task *t, int fd)
{
	struct process *p = t->process;
	uint64_t bits;

	if (dh_map_get(&p->fd_echo, (uint64_t)fd, &bits))
		return (unsigned)bits;
	/* When both are the same terminal or file the usual number decides. */
	if (fd != STDERR_FILENO && same_file(t->t.tid, fd, STDOUT_FILENO))
		bits = DH_EV_ECHO_OUT;
	else if (same_file(t->t.tid, fd, STDERR_FILENO))
		bits = DH_EV_ECHO_ERR;
	else if (fd == STDERR_FILENO && same_file(t->t.tid, fd, STDOUT_FILENO))
		bits = DH_EV_ECHO_OUT;
	else
		bits = dh_files_is_memory(t->t.tid, fd) ? MEMORY : 0;
	dh_map_set(&p->fd_echo, (uint64_t)fd, bits);
	return (unsigned)bits;
}

unsigned dh_echo_of(struct recorder *r, struct task *t, int fd)
{
	(void)r;
	return look(t, fd) & ECHO;
}

bool dh_echo_is_memory(struct recorder *r, struct task *t, int fd)
{
	(void)r;
	return look(t, fd) & MEMORY;
}

void dh_echo_begin(struct recorder *r, struct task *t)
{
	struct task **end = &r->echo_queue;

	if (!r->echoing) {
		r->echoing = t;
		dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
		return;
	}
	while (*end)
		end = &(*end)->next_echo;
	t->next_echo = NULL;
	*end = t;
}

void dh_echo_end(struct recorder *r, struct task *t)
{
	for (struct task **i = &r->echo_queue; *i; i = &(*i)->next_echo) {
		if (*i == t) {
			*i = t->next_echo;
			break;
		}
	}
	if (r->echoing != t)
		return;
	r->echoing = r->echo_queue;
	if (r->echoing) {
		r->echo_queue = r->echoing->next_echo;
		dh_rec_resume(r, r->echoing, DH_RESUME_SYSCALL, 0);
	}
}

void dh_echo_forget(struct process *p, int64_t nr, const struct dh_sys_call *c)
{
	const struct dh_sys_desc *d = dh_sysmodel_find(nr);

	switch (nr) {
	case SYS_close:
		dh_map_del(&p->fd_echo, c->arg[0]);
		return;
	case SYS_close_range:
	case SYS_recvmsg:
	case SYS_recvmmsg:
	case SYS_pipe:
	case SYS_pipe2:
	case SYS_socketpair:
		dh_map_clear(&p->fd_echo);
		return;
	default:
		if (c->result >= 0 && ((d && (d->flags & DH_SYS_FD_NEW)) || nr == SYS_fcntl))
			dh_map_del(&p->fd_echo, (uint64_t)c->result);
	}
}
