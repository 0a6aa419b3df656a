/* Choosing the system calls that are led into the buffer, and the descriptors that it may use. */
#include "record/buffer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "proc/husk_code.h"
#include "wire/buffer.h"

/* A stop and a half pay for the look at the code and the patch. */
#define CALLS_BEFORE 3
/* Branches into the middle are looked for so far around. */
#define SURROUNDINGS 2048u

static bool buffer_knows(int64_t nr)
{
	uint64_t at = DH_BUFFER_ROWS - DH_LANDING_CODE + (uint64_t)nr * DH_BUFFER_ROW_SIZE;

	return nr >= 0 && nr < (1 << DH_BUFFER_NR_BITS) && at < dh_husk_code_size &&
	       nr <= DH_SYS_MAX_NR && dh_husk_code[at];
}

/* Only the unwritten code of a file: a program that makes code may change it at any time, and a
 * shared mapping is the file itself. */
static bool is_fixed_code(const struct dh_vma *v)
{
	return v && v->inode && !v->shared && (v->prot & PROT_EXEC) && !(v->prot & PROT_WRITE);
}

static int examine(struct task *t, uint64_t call_end, int64_t nr, struct dh_patch *ret)
{
	struct dh_maps maps = DH_MAPS_INIT;
	uint8_t bytes[2 * SURROUNDINGS];
	struct dh_patch_code code = {.bytes = bytes};
	const struct dh_vma *v;
	int e = dh_maps_read(&maps, t->t.tid);

	v = e == 0 ? dh_maps_find(&maps, call_end) : NULL;
	if (!is_fixed_code(v)) {
		dh_maps_release(&maps);
		return -ENOTSUP;
	}
	code.start = DH_MAX(v->start, call_end - SURROUNDINGS);
	code.n = DH_MIN(v->end, call_end + SURROUNDINGS) - code.start;
	dh_maps_release(&maps);
	e = dh_tracee_read(&t->t, code.start, bytes, code.n);
	return e < 0 ? e : dh_patch_examine(&code, call_end, nr, ret);
}

static bool is_inside(const struct dh_patch *p, uint64_t pc)
{
	return pc > p->start && pc < p->start + dh_patch_length(p);
}

/* Whether the log says where the task is, so that a replay has it there too when the code under it
 * changes; and that is not in the middle of what is changed.  Tasks that are inside the call itself
 * are led out of it when it ends. */
static bool is_clear(struct recorder *r, struct task *t, const struct dh_patch *p)
{
	struct dh_regs regs;

	switch (t->state) {
	case TASK_DYING:
		return true;
	case TASK_WAITING:
	case TASK_RUNNING:
		if (t->in_call && !t->interrupted)
			dh_call_log_enter(r, t);
		return t->in_call && !t->interrupted;
	case TASK_READY:
		if (t->stop.kind != DH_STOP_INTERRUPT)
			return false;
		break;
	case TASK_NEW:
		break;
	}
	return dh_tracee_get_regs(&t->t, &regs) == 0 && !is_inside(p, dh_regs_pc(&regs));
}

bool dh_buffer_is_occupied(struct recorder *r, struct task *t, const struct dh_patch *p)
{
	uint64_t unused;

	if (t->process->space->frames.n > DH_BUFFER_FRAMES_MAX)
		return true;
	for (uint64_t pc = p->start + 1; is_inside(p, pc); pc++) {
		if (dh_map_get(&t->process->space->frames, pc, &unused))
			return true;
	}
	dh_map_foreach (slot, &r->tasks) {
		struct task *other = (struct task *)(uintptr_t)slot->value;

		if (other != t && other->process->space == t->process->space &&
			!is_clear(r, other, p))
			return true;
	}
	return false;
}

void dh_buffer_log_patch(struct recorder *r, struct task *t, const struct dh_patch *p)
{
	struct dh_ev_patch e = {.start = p->start,
		.constant = p->constant,
		.index = p->index,
		.form = (uint32_t)p->form};

	dh_ev_put_patch(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_PATCH);
}

static int apply(struct recorder *r, struct task *t, struct dh_patch *p)
{
	struct space *s = t->process->space;
	int e;

	if (dh_buffer_is_occupied(r, t, p))
		return -EAGAIN;
	p->index = s->next_index;
	e = dh_patches_add(&s->patches, p);
	if (e < 0)
		return e;
	e = dh_patch_apply(&t->t, p);
	if (e < 0) {
		dh_patches_remove(&s->patches, dh_patches_at(&s->patches, p->start));
		return e;
	}
	s->next_index++;
	dh_buffer_activate(r, t);
	dh_buffer_log_patch(r, t, p);
	return 0;
}

static int patch(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct dh_patch p;
	int e = examine(t, dh_regs_pc(regs), t->nr, &p);

	if (e == 0)
		e = apply(r, t, &p);
	if (e < 0)
		return e;
	dh_sites_learnt(r, t->process->space, &p);
	if (is_inside(&p, dh_regs_pc(regs))) {
		dh_patch_finish(&p, regs);
		dh_tracee_set_regs(&t->t, regs);
	}
	return 0;
}

void dh_buffer_seen(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct site site;
	uint64_t calls = 0;

	if (!buffer_knows(t->nr))
		return;
	site = dh_sites_find(r, t->process->space, dh_regs_pc(regs));
	dh_map_get(site.calls, site.key, &calls);
	if (calls == DH_SITE_NEVER)
		return;
	if (++calls >= CALLS_BEFORE) {
		int e = patch(r, t, regs);

		if (e < 0 && e != -EAGAIN)
			calls = DH_SITE_NEVER;
	}
	dh_map_set(site.calls, site.key, calls);
}

void dh_buffer_unblocked(struct recorder *r, struct task *t, uint64_t call_end)
{
	struct space *s = t->process->space;
	struct dh_patch p;

	/* In the other forms the handler comes back to the middle of it. */
	if (s && !s->off && !s->paused && examine(t, call_end, SYS_rt_sigprocmask, &p) == 0 &&
		p.form == DH_PATCH_NUMBER)
		apply(r, t, &p);
}

static uint8_t class_of_file(struct recorder *r, const char *path, const struct stat *st)
{
	const uint64_t *id = (const uint64_t *)r->shared_files.data;
	size_t n = r->shared_files.len / (2 * sizeof(*id));
	struct statfs fs;

	if (statfs(path, &fs) < 0 || !dh_buffer_good_fs((uint64_t)fs.f_type))
		return DH_BUFFER_FD_STOPS;
	for (size_t i = 0; i < n; i++) {
		if (id[2 * i] == st->st_dev && id[2 * i + 1] == st->st_ino)
			return DH_BUFFER_FD_SHARED;
	}
	return DH_BUFFER_FD_FILE;
}

static uint8_t class_of_other(const char *path)
{
	char name[64];
	ssize_t n = readlink(path, name, sizeof(name) - 1);

	name[n < 0 ? 0 : n] = '\0';
	return strcmp(name, "anon_inode:[eventfd]") == 0 ||
			       strcmp(name, "anon_inode:[timerfd]") == 0
		       ? DH_BUFFER_FD_STREAM
		       : DH_BUFFER_FD_DEVICE;
}

static uint8_t class_of(struct recorder *r, struct task *t, int fd)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", t->t.tid, fd);
	if (stat(path, &st) < 0)
		return DH_BUFFER_FD_UNKNOWN;
	if (dh_echo_of(r, t, fd))
		return dh_echo_of(r, t, fd) & DH_EV_ECHO_OUT ? DH_BUFFER_FD_OUT : DH_BUFFER_FD_ERR;
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
		return class_of_file(r, path, &st);
	case S_IFSOCK:
		return DH_BUFFER_FD_SOCKET;
	case S_IFIFO:
		return DH_BUFFER_FD_STREAM;
	default:
		return class_of_other(path);
	}
}

void dh_buffer_learn(struct recorder *r, struct task *t)
{
	struct dh_sys_call c = {.nr = t->nr};
	uint64_t fd = (uint32_t)dh_regs_arg(&t->entry, 0);
	uint64_t at = DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd) + fd;
	uint8_t class;

	c.arg[1] = dh_regs_arg(&t->entry, 1);
	if (t->nr == SYS_close || !buffer_knows(t->nr) || fd >= DH_BUFFER_FDS ||
		!(dh_sysmodel_flags(&c) & DH_SYS_FD_ARG) ||
		dh_area_read(t, at, &class, sizeof(class)) < 0 || class != DH_BUFFER_FD_UNKNOWN)
		return;
	class = class_of(r, t, (int)fd);
	if (class != DH_BUFFER_FD_UNKNOWN)
		dh_area_write(t, at, &class, sizeof(class));
}
