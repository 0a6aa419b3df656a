/* The address space: what exec made, and what mmap, mremap, brk and shmat changed. */
#include "record/recorder.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "isa/steady.h"
#include "proc/landing.h"
#include "record/buffer.h"
#include "record/notes.h"
#include "wire/landing.h"

#define PAGE       4096ull
#define STACK_MAX  ((uint64_t)256 << 20)
#define LINKER_MAX ((uint64_t)1 << 20)
#define VDSO_MAX   8

static void move_to_group(struct recorder *r, struct task *t)
{
	if (t->group->n_tasks == 1)
		return;
	dh_group_leave(r, t);
	dh_group_join(t, dh_group_new());
	t->group->holder = t;
	t->state = TASK_RUNNING;
}

void dh_image_exec_stop(struct recorder *r, struct task *t)
{
	unsigned long former;

	if (dh_tracee_event(&t->t, &former) == 0 && (pid_t)former != t->t.tid) {
		/* Another thread than the first called exec: it takes over the first one's id. */
		struct task *caller = dh_map_getp(&r->tasks, former);
		pid_t tid = t->t.tid;

		if (caller && caller != t) {
			dh_rec_task_gone(r, t);
			dh_map_del(&r->tasks, former);
			caller->t.tid = tid;
			dh_map_setp(&r->tasks, (uint64_t)tid, caller);
			t = caller;
		}
	}
	move_to_group(r, t);
	dh_checkpoint_exec(r, t);
	t->process->has_shared = false;
	dh_map_clear(&t->process->keys);
	dh_map_clear(&t->process->pages);
	t->process->executed = true;
	t->process->brk = 0;
	dh_map_clear(&t->process->fd_echo);
	dh_map_clear(&t->process->random);
	dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
}

static bool is_64_bit(pid_t pid)
{
	unsigned char ident[EI_NIDENT];
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	DH_FD int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || dh_read_full(fd, ident, sizeof(ident)) != sizeof(ident) ||
	       ident[EI_CLASS] == ELFCLASS64;
}

/* The vDSO reads clocks without a system call: the program must not find it. */
static void hide_vdso(struct task *t, uint64_t sp, uint8_t *stack, uint64_t len)
{
	uint64_t *w = (uint64_t *)stack, n = len / 8, i = 1 + w[0] + 1;

	while (i < n && w[i])
		i++; /* the environment */
	for (i++; i + 1 < n && w[i] != AT_NULL; i += 2) {
		if (w[i] == AT_SYSINFO_EHDR) {
			w[i] = AT_IGNORE;
			dh_tracee_write(&t->t, sp + i * 8, &w[i], 8);
		}
	}
}

static bool is_vdso(const struct dh_vma *v)
{
	return strncmp(v->path, "[vdso]", 6) == 0 || strncmp(v->path, "[vvar", 5) == 0;
}

/* Takes the vDSO out of the list; the calls that take it out of the process: how many. */
static size_t drop_vdso(struct dh_maps *maps, struct dh_landing_call calls[VDSO_MAX])
{
	size_t kept = 0, n = 0;

	for (size_t i = 0; i < maps->n; i++) {
		struct dh_vma v = maps->vmas[i];

		if (!is_vdso(&v) || n == VDSO_MAX) {
			maps->vmas[kept++] = v;
			continue;
		}
		calls[n++] = (struct dh_landing_call){SYS_munmap, {v.start, v.end - v.start}, 0};
		free(v.path);
	}
	maps->n = kept;
	return n;
}

/* Maps the landing area, and makes all calls that prepare the process.  0 or -errno. */
static int prepare(struct recorder *r, struct task *t, struct dh_maps *maps)
{
	struct dh_landing_call calls[VDSO_MAX + 2];
	size_t n, tsc, shared;
	int e = dh_maps_read(maps, t->t.tid);

	if (e < 0)
		return e;
	n = drop_vdso(maps, calls);
	tsc = n++;
	calls[tsc] = (struct dh_landing_call){SYS_prctl, {PR_SET_TSC, PR_TSC_SIGSEGV}, 0};
	shared = n;
	if (t->process->space && dh_notes_attaching(r, &calls[n]))
		n++;
	e = dh_landing_map(&t->t, calls, n);
	if (e < 0)
		return e;
	if (calls[tsc].result < 0)
		dh_rec_warn(r, "the time stamp counter cannot be trapped here: a program that "
			       "reads it will not replay");
	if (n > shared)
		t->process->space->attached = calls[shared].result == (int64_t)calls[shared].arg[1];
	return 0;
}

static uint64_t file_of_vma(struct recorder *r, struct task *t, const struct dh_vma *v)
{
	char path[64];
	struct stat st;

	if (v->path[0] != '/')
		return 0;
	DH_FD int fd = open(v->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_ino != v->inode) {
		/* Deleted or replaced since: the kernel still has the first one as our exe. */
		dh_closep(&fd);
		snprintf(path, sizeof(path), "/proc/%d/exe", t->t.tid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	return fd < 0 ? 0 : dh_files_add(r, fd, v->path);
}

static bool is_same_file(const struct dh_vma *a, const struct dh_vma *b)
{
	return a->inode == b->inode && strcmp(a->path, b->path) == 0;
}

static void put_vmas(
	struct recorder *r, struct task *t, const struct dh_maps *maps, struct dh_buf *out)
{
	uint64_t file = 0;

	for (size_t i = 0; i < maps->n; i++) {
		const struct dh_vma *v = &maps->vmas[i];
		struct dh_ev_vma e = {.start = v->start,
			.end = v->end,
			.offset = v->offset,
			.prot = v->prot,
			.grows_down = strcmp(v->path, "[stack]") == 0};

		if ((v->start >= DH_LANDING_START && v->start < DH_LANDING_END) ||
			strcmp(v->path, "[vsyscall]") == 0)
			continue;
		if (i == 0 || !is_same_file(v, v - 1))
			file = file_of_vma(r, t, v);
		e.file = file;
		dh_ev_put_vma(out, &e);
	}
}

static uint64_t stack_end(const struct dh_maps *maps, uint64_t sp)
{
	const struct dh_vma *v = dh_maps_find(maps, sp);

	return v && v->end - sp <= STACK_MAX ? v->end : sp;
}

/* Exec clears the rest of the page in which a segment's file contents end. */
static uint64_t save_changed_pages(struct recorder *r, struct task *t, const struct dh_maps *maps)
{
	uint8_t page[PAGE];
	uint64_t n = 0;

	for (size_t i = 0; i < maps->n; i++) {
		const struct dh_vma *v = &maps->vmas[i];

		if (v->path[0] != '/' || !(v->prot & PROT_WRITE) || v->shared ||
			dh_tracee_read(&t->t, v->end - PAGE, page, PAGE) < 0)
			continue;
		dh_ev_put_write(&r->writes, v->end - PAGE, page, PAGE);
		n++;
	}
	return n;
}

/* Looks for what has to be changed in the dynamic linker; it is the same for all who use it. */
static void examine_linker(struct recorder *r, struct task *t, const struct dh_ev_vma *v)
{
	uint64_t len = v->end - v->start;
	DH_BUF struct dh_buf old = DH_BUF_INIT, new = DH_BUF_INIT;

	r->linker.text = *v;
	dh_buf_clear(&r->linker.pages);
	dh_buf_clear(&r->linker.places);
	if (dh_tracee_read(&t->t, v->start, dh_buf_reserve(&old, len), len) < 0)
		return;
	dh_buf_add(&new, old.data, len);
	if (!dh_steady_saves((uint8_t *)new.data, len))
		return;
	for (uint64_t at = 0; at < len; at += PAGE) {
		if (memcmp(old.data + at, new.data + at, PAGE) == 0)
			continue;
		dh_buf_add(&r->linker.places, &at, sizeof(at));
		dh_buf_add(&r->linker.pages, new.data + at, PAGE);
	}
}

static bool is_linker(const struct recorder *r, const struct dh_ev_vma *v)
{
	const struct dh_ev_vma *known = &r->linker.text;

	return known->file == v->file && known->offset == v->offset &&
	       known->end - known->start == v->end - v->start;
}

/* Makes the dynamic linker, in which the program begins, save vector state exactly; see
 * isa/steady.h.  The pages that this changes. */
static uint64_t save_linker(
	struct recorder *r, struct task *t, const struct dh_buf *vmas, uint64_t pc)
{
	const uint8_t *at = (const uint8_t *)vmas->data, *end = at + vmas->len;
	const uint64_t *place;
	struct dh_ev_vma v;
	uint64_t n = 0;

	do {
		if (dh_ev_next_vma(&at, end, &v) <= 0)
			return 0;
	} while (pc < v.start || pc >= v.end);
	if (!v.file || v.end - v.start > LINKER_MAX)
		return 0;
	if (!is_linker(r, &v))
		examine_linker(r, t, &v);
	place = (const uint64_t *)r->linker.places.data;
	for (size_t i = 0; i < r->linker.places.len / sizeof(*place); i++) {
		const void *page = r->linker.pages.data + i * PAGE;

		if (dh_tracee_write(&t->t, v.start + place[i], page, PAGE) < 0)
			continue;
		dh_ev_put_write(&r->writes, v.start + place[i], page, PAGE);
		n++;
	}
	return n;
}

static uint64_t save_stack(
	struct recorder *r, struct task *t, const struct dh_maps *maps, uint64_t sp)
{
	uint64_t len = stack_end(maps, sp) - sp;

	dh_buf_clear(&r->scratch);
	if (len < 32 || dh_tracee_read(&t->t, sp, dh_buf_reserve(&r->scratch, len), len) < 0)
		return 0;
	hide_vdso(t, sp, (uint8_t *)r->scratch.data, len);
	dh_ev_put_write(&r->writes, sp, r->scratch.data, len);
	return 1;
}

static void log_exec(
	struct recorder *r, struct task *t, const struct dh_regs *regs, const struct dh_maps *maps)
{
	DH_BUF struct dh_buf vmas = DH_BUF_INIT;
	struct dh_ev_exec e = {.regs = *regs};
	struct dh_ev_vma v;
	char exe[4096], link[32];
	uint64_t writes;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", t->t.tid);
	n = readlink(link, exe, sizeof(exe) - 1);
	exe[n < 0 ? 0 : n] = '\0';
	e.path = exe;
	put_vmas(r, t, maps, &vmas);
	e.vma_data = (uint8_t *)vmas.data;
	e.vma_len = vmas.len;
	dh_buf_clear(&r->writes);
	writes = save_stack(r, t, maps, dh_regs_sp(regs));
	writes += save_changed_pages(r, t, maps);
	writes += save_linker(r, t, &vmas, dh_regs_pc(regs));
	e.pid = (uint32_t)t->t.tid;
	dh_tracee_get_sigmask(&t->t, &e.mask);
	e.ignored = dh_signal_ignored(t->t.tid);
	dh_ev_put_exec(&r->payload, &e, &r->writes, writes);
	dh_rec_log(r, t, DH_EV_EXEC);
	for (const uint8_t *at = e.vma_data; dh_ev_next_vma(&at, e.vma_data + e.vma_len, &v) > 0;) {
		dh_random_mapped(r, t, &v);
		dh_sites_mapped(r, t, &v);
	}
}

void dh_image_exec_done(struct recorder *r, struct task *t, const struct dh_regs *regs)
{
	struct dh_maps maps = DH_MAPS_INIT;
	int error;

	if (!is_64_bit(t->t.tid)) {
		dh_rec_fail(r, ENOTSUP,
			"process %d runs a 32-bit program: only x86-64 can be recorded", t->t.tid);
		return;
	}
	dh_buffer_exec(r, t);
	error = prepare(r, t, &maps);
	if (error < 0) {
		dh_maps_release(&maps);
		if (error != -ESRCH)
			dh_rec_fail(r, -error, "cannot prepare process %d: %s", t->t.tid,
				strerror(-error));
		return;
	}
	log_exec(r, t, regs, &maps);
	dh_maps_release(&maps);
	t->process->stack = dh_regs_sp(regs);
	t->at_boundary = true;
	dh_tracee_get_regs(&t->t, &t->boundary);
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	dh_call_vfork_over(r, t);
}

/* Which file lies behind a descriptor that was mapped. */
static void describe_file(struct recorder *r, struct task *t, struct dh_ev_map *e, int fd_number)
{
	char link[64], path[4096];
	struct stat st;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", t->t.tid, fd_number);
	n = readlink(link, path, sizeof(path) - 1);
	path[n < 0 ? 0 : n] = '\0';
	DH_FD int fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		if (strcmp(path, "/dev/zero") != 0)
			dh_rec_warn(
				r, "process %d maps %s, which cannot be recorded", t->t.tid, path);
		e->vma.offset = 0;
		return;
	}
	/* A file that the program can change is one memory for all who map it, and later changes
	 * through descriptors are logged; one that it can only read is a copy. */
	if (lstat(link, &st) == 0 && (st.st_mode & S_IWUSR)) {
		e->vma.key = dh_files_shared_key(r, t, fd);
		if (e->vma.shared)
			dh_turn_share(r, t, e->vma.key);
		return;
	}
	e->vma.shared = false;
	e->vma.file = dh_files_add(r, fd, path);
}

static void describe_mmap(struct recorder *r, struct task *t, struct dh_ev_map *e)
{
	uint64_t len = dh_regs_arg(&t->entry, 1), flags = dh_regs_arg(&t->entry, 3);

	e->op = DH_MAP_NEW;
	e->vma.start = (uint64_t)e->result;
	e->vma.end = e->vma.start + ((len + PAGE - 1) & ~(PAGE - 1));
	e->vma.prot = (int)dh_regs_arg(&t->entry, 2) & 7;
	e->vma.shared = (flags & 0xf) == MAP_SHARED || (flags & 0xf) == MAP_SHARED_VALIDATE;
	e->vma.grows_down = flags & MAP_GROWSDOWN;
	e->flags = (unsigned)(flags & (MAP_NORESERVE | MAP_STACK));
	if (!(flags & MAP_ANONYMOUS)) {
		e->vma.offset = dh_regs_arg(&t->entry, 5);
		describe_file(r, t, e, (int)dh_regs_arg(&t->entry, 4));
	} else if (e->vma.shared) {
		e->vma.key = r->next_key++;
		t->process->has_shared = true;
	}
}

static void describe_brk(struct task *t, struct dh_ev_map *e)
{
	uint64_t old = t->process->brk ? t->process->brk : (uint64_t)e->result;

	e->op = DH_MAP_BRK;
	e->old_addr = old;
	e->vma.start = old;
	e->vma.end = (uint64_t)e->result;
	if (e->vma.end < e->vma.start)
		e->vma.end = e->vma.start;
	e->old_len = (uint64_t)e->result; /* the new break */
	t->process->brk = (uint64_t)e->result;
}

static void describe_shmat(struct recorder *r, struct task *t, struct dh_ev_map *e)
{
	struct dh_maps maps = DH_MAPS_INIT;
	const struct dh_vma *v;
	uint64_t id = dh_regs_arg(&t->entry, 0) | 1ull << 40, key;

	e->op = DH_MAP_NEW;
	dh_maps_read(&maps, t->t.tid);
	v = dh_maps_find(&maps, (uint64_t)e->result);
	if (v) {
		uint64_t len = v->end - v->start;

		e->vma.start = v->start;
		e->vma.end = v->end;
		e->vma.prot = v->prot;
		e->vma.shared = true;
		if (!dh_map_get(&r->shared, id, &key)) {
			struct dh_ev_shared s = {.offset = len, .truncate = true};

			key = r->next_key++;
			dh_map_set(&r->shared, id, key);
			s.key = key;
			dh_ev_put_shared(&r->payload, &s);
			dh_rec_log(r, t, DH_EV_SHARED);
			dh_buf_clear(&r->scratch);
			s.truncate = false;
			s.offset = 0;
			s.data = dh_buf_reserve(&r->scratch, len);
			s.len = len;
			if (dh_tracee_read(&t->t, v->start, r->scratch.data, len) == 0) {
				dh_ev_put_shared(&r->payload, &s);
				dh_rec_log(r, t, DH_EV_SHARED);
			}
		}
		e->vma.key = key;
		dh_turn_share(r, t, key);
	}
	dh_maps_release(&maps);
}

bool dh_image_maps(int64_t nr)
{
	return nr == SYS_mmap || nr == SYS_mremap || nr == SYS_brk || nr == SYS_shmat ||
	       nr == SYS_shmdt;
}

void dh_image_map_done(struct recorder *r, struct task *t, const struct dh_regs *regs)
{
	struct dh_ev_map e = {
		.nr = t->nr, .entry_hash = t->entry_hash, .result = dh_regs_result(regs)};
	bool failed = e.result < 0 && e.result >= -4095;

	switch (failed ? -1 : t->nr) {
	case SYS_mmap:
		describe_mmap(r, t, &e);
		break;
	case SYS_mremap:
		e.op = DH_MAP_MOVE;
		e.old_addr = dh_regs_arg(&t->entry, 0);
		e.old_len = dh_regs_arg(&t->entry, 1);
		e.vma.start = (uint64_t)e.result;
		e.vma.end = e.vma.start + dh_regs_arg(&t->entry, 2);
		e.flags = (unsigned)dh_regs_arg(&t->entry, 3);
		break;
	case SYS_brk:
		describe_brk(t, &e);
		break;
	case SYS_shmat:
		describe_shmat(r, t, &e);
		break;
	case SYS_shmdt:
		e.op = DH_MAP_UNMAP;
		e.old_addr = dh_regs_arg(&t->entry, 0);
		break;
	default:
		break;
	}
	dh_ev_put_map(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_MAP);
	if (e.op == DH_MAP_NEW)
		dh_random_mapped(r, t, &e.vma);
	if (e.op == DH_MAP_NEW || e.op == DH_MAP_MOVE)
		dh_sites_mapped(r, t, &e.vma);
}
