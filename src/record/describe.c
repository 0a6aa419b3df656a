/* What a call is about: its arguments in words, the objects behind its paths and descriptors. */
#include "record/describe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "base/alloc.h"
#include "record/lookup.h"
#include "record/notes.h"
#include "record/recorder.h"
#include "sysmodel/effects.h"

#define ARGUMENTS_MAX 64
#define TEXT_MAX      DH_DESCRIBE_TEXT
#define SI_PID_AT     16 /* in siginfo_t */

static size_t add_string(struct describe *d, const char *s)
{
	size_t at = d->strings.len;

	dh_buf_add(&d->strings, s, strlen(s) + 1);
	return at;
}

/* The buffer may have moved: strings are reached from it again. */
static void point(struct describe *d)
{
	d->call.text = d->strings.data + d->text_at;
	for (uint32_t i = 0; i < d->call.n_refs; i++) {
		d->call.refs[i].path = d->strings.data + d->path_at[i];
		d->call.refs[i].given = d->strings.data + d->given_at[i];
	}
}

static void add_ref(struct describe *d, const struct lookup *l, enum dh_ref_role role, int fd)
{
	uint32_t i = d->call.n_refs;

	if (i == DH_EV_CALL_REFS)
		return;
	d->call.refs[i] = l->ref;
	d->call.refs[i].role = role;
	d->call.refs[i].fd = fd;
	d->path_at[i] = add_string(d, l->path);
	d->given_at[i] = add_string(d, l->given);
	d->call.n_refs++;
}

static void add_fd(struct describe *d, struct task *t, enum dh_ref_role role, int fd)
{
	struct lookup l;

	if (fd < 0)
		return;
	dh_lookup_fd(&l, t->t.tid, fd);
	add_ref(d, &l, role, fd);
}

static void add_path(struct describe *d, struct task *t, const struct dh_sys_ref *ref,
	const struct dh_sys_call *c)
{
	int dir = ref->dir == DH_SYS_CWD ? AT_FDCWD : (int)c->arg[ref->dir];
	char path[PATH_SIZE];
	struct lookup l;

	if (dh_tracee_read_string(&t->t, c->arg[ref->arg], path, sizeof(path)) < 0)
		return;
	if (!path[0]) { /* the descriptor itself, with AT_EMPTY_PATH */
		if (dir >= 0)
			add_fd(d, t, DH_REF_FD, dir);
		return;
	}
	dh_lookup_path(&l, t->process->pid, dir, path, dh_sysmodel_follows(ref, c->arg));
	add_ref(d, &l, ref->role, -1);
}

static void add_address(struct describe *d, struct task *t, const struct dh_sys_ref *ref,
	const struct dh_sys_call *c, char text[TEXT_MAX])
{
	union {
		struct sockaddr any;
		struct sockaddr_un un;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} a = {0};
	size_t len = DH_MIN(sizeof(a), (size_t)(uint32_t)c->arg[ref->arg + 1]);
	char host[INET6_ADDRSTRLEN] = "";
	struct lookup l;

	if (!c->arg[ref->arg] || dh_tracee_read(&t->t, c->arg[ref->arg], &a, len) < 0)
		return;
	switch (a.any.sa_family) {
	case AF_UNIX:
		a.un.sun_path[sizeof(a.un.sun_path) - 1] = '\0';
		if (a.un.sun_path[0]) {
			dh_lookup_path(&l, t->process->pid, AT_FDCWD, a.un.sun_path, true);
			add_ref(d, &l, ref->role, -1);
			snprintf(text, TEXT_MAX, "unix:%.900s", l.path);
		} else if (len > offsetof(struct sockaddr_un, sun_path)) {
			snprintf(text, TEXT_MAX, "unix:@%.100s", a.un.sun_path + 1);
		}
		break;
	case AF_INET:
		inet_ntop(AF_INET, &a.in.sin_addr, host, sizeof(host));
		snprintf(text, TEXT_MAX, "inet:%s:%u", host, ntohs(a.in.sin_port));
		break;
	case AF_INET6:
		inet_ntop(AF_INET6, &a.in6.sin6_addr, host, sizeof(host));
		snprintf(text, TEXT_MAX, "inet6:[%s]:%u", host, ntohs(a.in6.sin6_port));
		break;
	default:
		break;
	}
}

/* The arguments of exec, separated by blanks. */
static void add_arguments(struct task *t, uint64_t list, char text[TEXT_MAX])
{
	size_t n = 0;

	for (int i = 0; i < ARGUMENTS_MAX && n + 2 < TEXT_MAX; i++) {
		uint64_t at;

		if (dh_tracee_read(&t->t, list + (uint64_t)i * 8, &at, sizeof(at)) < 0 || !at)
			break;
		if (i)
			text[n++] = ' ';
		text[n] = '\0';
		/* A long one is cut, and is the last. */
		if (dh_tracee_read_string(&t->t, at, text + n, TEXT_MAX - n) < 0)
			break;
		n += strlen(text + n);
	}
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	}
}

void dh_describe_lock(char text[TEXT_MAX], const struct flock *lock)
{
	snprintf(text, TEXT_MAX, "%c %d %lld %lld",
		lock->l_type == F_RDLCK   ? 'R'
		: lock->l_type == F_WRLCK ? 'W'
					  : 'U',
		lock->l_whence, (long long)lock->l_start, (long long)lock->l_len);
}

void dh_describe_action(char text[TEXT_MAX], uint64_t handler)
{
	snprintf(text, TEXT_MAX, "%s",
		handler == (uint64_t)(uintptr_t)SIG_DFL   ? "default"
		: handler == (uint64_t)(uintptr_t)SIG_IGN ? "ignore"
							  : "handler");
}

static void add_lock(struct task *t, const struct dh_sys_call *c, char text[TEXT_MAX])
{
	struct flock lock;

	switch ((int)c->arg[1]) {
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		break;
	default:
		return;
	}
	if (dh_tracee_read(&t->t, c->arg[2], &lock, sizeof(lock)) == 0)
		dh_describe_lock(text, &lock);
}

static void add_action(struct task *t, const struct dh_sys_call *c, char text[TEXT_MAX])
{
	uint64_t handler;

	if (c->arg[1] && dh_tracee_read(&t->t, c->arg[1], &handler, sizeof(handler)) == 0)
		dh_describe_action(text, handler);
}

/* What the objects do not say. */
static void add_text(struct task *t, const struct dh_sys_call *c, char text[TEXT_MAX])
{
	switch (c->nr) {
	case SYS_execve:
		add_arguments(t, c->arg[1], text);
		break;
	case SYS_execveat:
		add_arguments(t, c->arg[2], text);
		break;
	case SYS_fcntl:
		add_lock(t, c, text);
		break;
	case SYS_rt_sigaction:
		add_action(t, c, text);
		break;
	default:
		break;
	}
}

static bool exists_as_fd(const struct dh_sys_ref *ref, const struct dh_sys_call *c)
{
	/* mmap of no file; the rest of a call that has no descriptor there */
	return ref->kind == DH_SYS_REF_FD && (int)c->arg[ref->arg] >= 0;
}

void dh_describe_entry(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(c->nr);
	char text[TEXT_MAX] = "";
	struct describe *d;

	t->silent = r->opt->calls && dh_sysmodel_silent(c);
	if (!r->opt->calls || t->silent)
		return;
	if (!t->about)
		t->about = dh_new(struct describe);
	d = t->about;
	dh_buf_clear(&d->strings);
	d->call = (struct dh_ev_call){
		.nr = c->nr, .entered = r->result->events, .entered_nth = dh_notes_moment(r)};
	memcpy(d->call.arg, c->arg, sizeof(d->call.arg));
	for (int i = 0; i < DH_SYS_REFS; i++) {
		const struct dh_sys_ref *ref = &row->refs[i];

		if (ref->kind == DH_SYS_REF_PATH)
			add_path(d, t, ref, c);
		else if (exists_as_fd(ref, c))
			add_fd(d, t, ref->role, (int)c->arg[ref->arg]);
		else if (ref->kind == DH_SYS_REF_ADDRESS)
			add_address(d, t, ref, c, text);
	}
	add_text(t, c, text);
	d->text_at = add_string(d, text);
	point(d);
}

/* fcntl makes one only with some of its requests. */
static bool makes_fd(const struct dh_sys_call *c)
{
	return c->nr != SYS_fcntl || (int)c->arg[1] == F_DUPFD || (int)c->arg[1] == F_DUPFD_CLOEXEC;
}

static void add_made(struct describe *d, struct task *t, const struct dh_sys_call *c)
{
	const struct dh_sys_effects *row = dh_sysmodel_effects(c->nr);
	int pair[2];

	for (int i = 0; i < DH_SYS_REFS; i++) {
		const struct dh_sys_ref *ref = &row->refs[i];

		if (ref->kind == DH_SYS_REF_NEW && makes_fd(c)) {
			add_fd(d, t, DH_REF_NEW, (int)c->result);
		} else if (ref->kind == DH_SYS_REF_PAIR &&
			   dh_tracee_read(&t->t, c->arg[ref->arg], pair, sizeof(pair)) == 0) {
			add_fd(d, t, DH_REF_NEW, pair[0]);
			add_fd(d, t, DH_REF_NEW2, pair[1]);
		}
	}
}

void dh_describe_exit(struct recorder *r, struct task *t, const struct dh_sys_call *c)
{
	struct describe *d = t->about;
	uint32_t pid;

	dh_notes_idle(r, t);
	if (!d || t->silent || d->call.nr != c->nr)
		return;
	d->call.result = c->result;
	if (c->result >= 0)
		add_made(d, t, c);
	if (c->nr == SYS_waitid && c->result == 0 && c->arg[2] &&
		dh_tracee_read(&t->t, c->arg[2] + SI_PID_AT, &pid, sizeof(pid)) == 0)
		d->call.value = pid;
	point(d);
	dh_ev_put_call(&r->payload, &d->call);
	dh_rec_log(r, t, DH_EV_CALL);
}

void dh_describe_release(struct task *t)
{
	if (!t->about)
		return;
	dh_buf_release(&t->about->strings);
	free(t->about);
	t->about = NULL;
}
