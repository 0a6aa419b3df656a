/* The address space: the recorded one is built around the landing area. */
#include "replay/debug.h"
#include "replay/replayer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "proc/maps.h"
#include "trace/files.h"
#include "wire/landing.h"

#define PAGE       4096ull
#define SHARED_MAX ((uint64_t)1 << 40)

int dh_play_file(struct dh_replay *r)
{
	char hash[DH_TRACE_HASH_LEN + 1];
	struct replay_file *f;
	struct dh_ev_file e;
	const char *path;
	int n;

	if (dh_ev_get_file(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (dh_map_getp(&r->files, e.id))
		return 0; /* a checkpoint describes it again */
	path = e.path;
	if (e.stored) {
		n = dh_trace_reader_file(r->reader, e.hash, &path, r->err);
		if (n < 0)
			return dh_error_prefix(r->err, n, "%s", e.path);
	} else {
		DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return dh_error_set(r->err, errno, "%s: %s; the recording needs this file",
				path, strerror(errno));
		n = dh_trace_files_hash(fd, hash);
		if (n < 0 || strcmp(hash, e.hash) != 0)
			return dh_error_set(r->err, ESTALE,
				"%s has changed since the recording was made", path);
	}
	f = dh_new(struct replay_file);
	f->path = dh_strdup(path);
	f->recorded = dh_strdup(e.path);
	memcpy(f->hash, e.hash, sizeof(f->hash));
	dh_map_setp(&r->files, e.id, f);
	return 0;
}

int dh_image_shared_fd(struct dh_replay *r, uint64_t key)
{
	uint64_t fd;

	if (dh_map_get(&r->shared, key, &fd))
		return (int)fd;
	fd = (uint64_t)memfd_create("deadheat-shared", MFD_CLOEXEC);
	if ((int)fd >= 0)
		dh_map_set(&r->shared, key, fd);
	return (int)fd;
}

/* The task changes the file by the call that it makes next: not before it gets there. */
int dh_play_shared(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_shared e;
	struct dh_stop stop;
	int fd, error = 0;

	if (dh_ev_get_shared(&r->ev, &e) < 0 || e.offset > SHARED_MAX)
		return dh_rpl_damaged(r);
	if (t->at == AT_USER)
		error = dh_run_to_stop(r, t, &stop);
	if (error < 0)
		return error;
	fd = dh_image_shared_fd(r, e.key);
	if (fd < 0)
		return dh_error_set(r->err, errno, "memfd_create: %s", strerror(errno));
	if (e.truncate ? ftruncate(fd, (off_t)e.offset) < 0
		       : pwrite(fd, e.data, e.len, (off_t)e.offset) != (ssize_t)e.len)
		return dh_error_set(r->err, errno, "shared memory: %s", strerror(errno));
	return 0;
}

/* Opens path inside the task; the descriptor there, or -errno. */
static int open_inside(
	struct dh_replay *r, struct dh_replay_task *t, const char *path, int flags, int64_t *ret)
{
	size_t n = strlen(path) + 1;

	if (n > DH_LANDING_SCRATCH_SIZE)
		return dh_error_set(r->err, ENAMETOOLONG, "%s: too long", path);
	if (dh_tracee_write(&t->t, DH_LANDING_SCRATCH, path, n) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	return dh_run_inject(r, t, ret, SYS_openat, (uint64_t)AT_FDCWD, DH_LANDING_SCRATCH,
		(uint64_t)flags, 0, 0, 0);
}

static int map_file(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_vma *v, uint64_t flags)
{
	struct replay_file *f = dh_map_getp(&r->files, v->file);
	char path[64];
	int64_t fd;
	int e;

	if (v->key) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", getpid(),
			dh_image_shared_fd(r, v->key));
		e = open_inside(r, t, path, O_RDWR, &fd);
	} else if (f) {
		e = open_inside(r, t, f->path, O_RDONLY, &fd);
	} else {
		return dh_rpl_damaged(r);
	}
	if (e == 0)
		e = dh_run_inject(r, t, NULL, SYS_mmap, v->start, v->end - v->start,
			(uint64_t)v->prot, flags, (uint64_t)fd, v->offset);
	if (e == 0)
		e = dh_run_inject(r, t, NULL, SYS_close, (uint64_t)fd, 0, 0, 0, 0, 0);
	return e;
}

static bool vma_valid(const struct dh_ev_vma *v)
{
	return !(v->start & (PAGE - 1)) && v->end > v->start && v->end <= 0x7ffffffff000ull &&
	       (v->end <= DH_LANDING_START || v->start >= DH_LANDING_END);
}

/* Shared anonymous memory is shared only by inheritance, so the kernel's own kind will do. */
int dh_image_map(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_vma *v, unsigned extra)
{
	uint64_t flags = MAP_FIXED | (v->shared ? MAP_SHARED : MAP_PRIVATE) | extra |
			 (v->grows_down ? MAP_GROWSDOWN : 0);
	uint64_t known;

	if (!vma_valid(v))
		return dh_rpl_damaged(r);
	if (v->file || (v->key && dh_map_get(&r->shared, v->key, &known)))
		return map_file(r, t, v, flags);
	return dh_run_inject(r, t, NULL, SYS_mmap, v->start, v->end - v->start, (uint64_t)v->prot,
		flags | MAP_ANONYMOUS, (uint64_t)-1, 0);
}

int dh_image_unmap_all(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_maps maps = DH_MAPS_INIT;
	int e = dh_maps_read(&maps, t->t.tid);

	for (size_t i = 0; e == 0 && i < maps.n; i++) {
		const struct dh_vma *v = &maps.vmas[i];

		if ((v->start >= DH_LANDING_START && v->start < DH_LANDING_END) ||
			strcmp(v->path, "[vsyscall]") == 0)
			continue;
		e = dh_run_inject(r, t, NULL, SYS_munmap, v->start, v->end - v->start, 0, 0, 0, 0);
	}
	dh_maps_release(&maps);
	return e;
}

int dh_image_set_name(struct dh_replay *r, struct dh_replay_task *t, const char *name)
{
	char text[16] = {0};

	snprintf(text, sizeof(text), "%s", name);
	dh_tracee_write(&t->t, DH_LANDING_SCRATCH, text, sizeof(text));
	return dh_run_inject(r, t, NULL, SYS_prctl, PR_SET_NAME, DH_LANDING_SCRATCH, 0, 0, 0, 0);
}

static int build_image(struct dh_replay *r, struct dh_replay_task *t, struct dh_ev_exec *e)
{
	const uint8_t *at = e->vma_data, *end = e->vma_data + e->vma_len;
	const char *slash = strrchr(e->path, '/');
	struct dh_ev_vma v;
	int n, error = dh_image_unmap_all(r, t);

	while (error == 0 && (n = dh_ev_next_vma(&at, end, &v)) != 0) {
		if (n < 0)
			return dh_rpl_damaged(r);
		error = dh_image_map(r, t, &v, 0);
	}
	if (error == 0)
		error = dh_rpl_writes(r, t, &e->writes);
	if (error == 0)
		error = dh_run_inject(
			r, t, NULL, SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0, 0);
	if (error == 0)
		error = dh_image_set_name(r, t, slash ? slash + 1 : e->path);
	if (error < 0)
		return error;
	dh_regs_finish_syscall(&e->regs, dh_regs_result(&e->regs));
	if (dh_tracee_set_regs(&t->t, &e->regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	t->at = AT_USER;
	t->vm = ++r->n_vms;
	t->stack = dh_regs_sp(&e->regs);
	t->watch_version = 0;
	return 0;
}

/* From the entry of exec to its exit, now with the husk inside. */
static int exec_husk(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_regs regs;
	struct dh_stop stop;

	if (dh_tracee_write(&t->t, DH_LANDING_SCRATCH, r->husk, strlen(r->husk) + 1) < 0 ||
		dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	dh_regs_change_syscall(&regs, SYS_execve);
	dh_regs_set_arg(&regs, 0, DH_LANDING_SCRATCH);
	dh_regs_set_arg(&regs, 1, 0);
	dh_regs_set_arg(&regs, 2, 0);
	dh_tracee_set_regs(&t->t, &regs);
	if (dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	/* A thread that calls exec takes over the id of the first one. */
	t->t.tid = t->real_pid;
	for (;;) {
		if (dh_tracee_wait(&t->t, &stop) < 0 || stop.kind == DH_STOP_EXITED)
			return dh_rpl_diverged(r, t, "the process is gone");
		if (stop.kind == DH_STOP_SYSCALL)
			break;
		dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0);
	}
	if (dh_tracee_get_regs(&t->t, &regs) < 0 || dh_regs_result(&regs) != 0)
		return dh_error_set(r->err, EIO, "cannot execute %s", r->husk);
	t->at = AT_HUSK;
	return 0;
}

static int check_exec(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_regs regs;

	if (t->at == AT_ENTRY && dh_tracee_get_regs(&t->t, &regs) == 0 &&
		(dh_regs_syscall(&regs) == SYS_execve || dh_regs_syscall(&regs) == SYS_execveat))
		return 0;
	return dh_rpl_diverged(r, t, "did not execute a program");
}

/* The first process has ours so far; all others inherit those that they should have. */
static int set_signals(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_exec *e)
{
	uint64_t action[4] = {0}, differ = dh_tracee_ignored(t->t.tid) ^ e->ignored;
	int error = 0;

	for (uint64_t sig = 1; sig <= 64 && error == 0; sig++) {
		if (!(differ & 1ull << (sig - 1)) || sig == SIGKILL || sig == SIGSTOP)
			continue;
		action[0] = e->ignored & 1ull << (sig - 1) ? (uintptr_t)SIG_IGN : 0;
		dh_tracee_write(&t->t, DH_LANDING_SCRATCH, action, sizeof(action));
		error = dh_run_inject(
			r, t, NULL, SYS_rt_sigaction, sig, DH_LANDING_SCRATCH, 0, 8, 0, 0);
	}
	dh_tracee_set_sigmask(&t->t, e->mask);
	return error;
}

static int check_signals(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_exec *e)
{
	uint64_t mask;

	if (dh_tracee_get_sigmask(&t->t, &mask) == 0 && mask == e->mask &&
		dh_tracee_ignored(t->t.tid) == e->ignored)
		return 0;
	return dh_rpl_diverged(r, t, "executed a program with other signals blocked or ignored");
}

int dh_play_exec(struct dh_replay *r, struct dh_replay_task *t)
{
	bool first = t->at == AT_HUSK;
	struct dh_ev_exec e;
	struct dh_stop stop;
	int error = 0;

	if (dh_ev_get_exec(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	if (t->at == AT_USER)
		error = dh_run_to_stop(r, t, &stop);
	if (error == 0 && t->at != AT_HUSK)
		error = check_exec(r, t);
	if (error < 0)
		return error;
	if (!r->root_pid)
		r->root_pid = e.pid;
	t->pid = t->tid = e.pid;
	dh_debug_exec(r, t);
	if (error == 0 && t->at != AT_HUSK)
		error = exec_husk(r, t);
	dh_play_buffer_exec(t);
	if (error == 0)
		error = first ? set_signals(r, t, &e) : check_signals(r, t, &e);
	return error < 0 ? error : build_image(r, t, &e);
}

static int play_brk(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_map *e)
{
	uint64_t old = (e->old_addr + PAGE - 1) & ~(PAGE - 1);
	uint64_t new = (e->old_len + PAGE - 1) & ~(PAGE - 1);

	if (new > old &&new < 0x7ffffffff000ull)
		return dh_run_inject(r, t, NULL, SYS_mmap, old, new - old, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, (uint64_t)-1, 0);
	if (new < old)
		return dh_run_inject(r, t, NULL, SYS_munmap, new, old - new, 0, 0, 0, 0);
	return 0;
}

static int play_move(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_map *e)
{
	uint64_t flags = e->flags & ~(unsigned)MREMAP_FIXED;

	if (e->vma.start != e->old_addr)
		flags |= MREMAP_FIXED | MREMAP_MAYMOVE;
	return dh_run_inject(r, t, NULL, SYS_mremap, e->old_addr, e->old_len,
		e->vma.end - e->vma.start, flags, e->vma.start, 0);
}

static int play_unmap_segment(
	struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_map *e)
{
	uint64_t len;

	if (!dh_map_get(&r->segments, e->old_addr, &len))
		return dh_rpl_damaged(r);
	return dh_run_inject(r, t, NULL, SYS_munmap, e->old_addr, len, 0, 0, 0, 0);
}

int dh_play_map(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_regs regs;
	struct dh_ev_map e;
	int error;

	if (dh_ev_get_map(&r->ev, &e) < 0)
		return dh_rpl_damaged(r);
	error = dh_run_to_entry(r, t, e.nr, e.entry_hash, 0);
	if (error < 0)
		return error;
	dh_debug_lift(r, t, DH_DEBUG_ALL);
	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	switch (e.op) {
	case DH_MAP_NEW:
		if (e.nr == SYS_shmat)
			dh_map_set(&r->segments, e.vma.start, e.vma.end - e.vma.start);
		error = dh_image_map(r, t, &e.vma, e.flags);
		break;
	case DH_MAP_MOVE:
		error = play_move(r, t, &e);
		break;
	case DH_MAP_BRK:
		error = play_brk(r, t, &e);
		break;
	case DH_MAP_UNMAP:
		error = play_unmap_segment(r, t, &e);
		break;
	case DH_MAP_NONE:
		break;
	}
	if (error < 0)
		return error;
	dh_regs_finish_syscall(&regs, e.result);
	dh_play_buffer_behind(t, &regs);
	if (dh_tracee_set_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "the process is gone");
	t->at = AT_USER;
	return 0;
}
