/* The buffer's spaces, and what is read from and told to them. */
#include "record/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "record/notes.h"
#include "trace/writer.h"
#include "wire/buffer.h"

/* The ring starts over at the next opportunity when this much of it is used: less memory to be
 * copied by a fork, and it stays in the cache. */
#define RING_LOW  0x10000ull
#define NOTES_LOW (DH_NOTES_SIZE / 4)
/* Records of one event, unless a single one has more: those fit into the writer's blocks. */
#define EVENT_MAX 0x30000

int dh_area_read(struct task *t, uint64_t addr, void *p, size_t n)
{
	return dh_tracee_read_some(&t->t, addr, p, n) == (ssize_t)n ? 0 : -EFAULT;
}

int dh_area_write(struct task *t, uint64_t addr, const void *p, size_t n)
{
	return dh_tracee_write(&t->t, addr, p, n);
}

static struct space *space_of(const struct task *t)
{
	return t->process ? t->process->space : NULL;
}

void dh_buffer_release(struct process *p)
{
	struct space *s = p->space;

	p->space = NULL;
	if (!s || --s->refs)
		return;
	dh_patches_release(&s->patches);
	dh_map_release(&s->sites);
	dh_map_release(&s->frames);
	free(s->texts);
	free(s);
}

void dh_buffer_exec(struct recorder *r, struct task *t)
{
	dh_buffer_release(t->process);
	/* Random turns want many places to switch at, which are the stops.  A ring begins with the
	 * state of the program alone, without that of the buffer. */
	if (t->rules || !r->opt->buffer || r->opt->chaos || r->opt->max_size ||
		t->process->elsewhere)
		return;
	t->process->space = dh_new(struct space);
	t->process->space->refs = 1;
}

static void copy_map(struct dh_map *to, const struct dh_map *from)
{
	dh_map_foreach (slot, from)
		dh_map_set(to, slot->key, slot->value);
}

static struct space *fork_space(const struct space *s)
{
	struct space *copy = dh_new(struct space);

	*copy = *s;
	copy->refs = 1;
	copy->paused = 0;
	copy->sites = copy->frames = DH_MAP_INIT;
	dh_patches_copy(&copy->patches, &s->patches);
	copy_map(&copy->sites, &s->sites);
	copy_map(&copy->frames, &s->frames);
	copy->cap_texts = s->n_texts;
	copy->texts = s->n_texts ? dh_memdup(s->texts, s->n_texts * sizeof(*s->texts)) : NULL;
	return copy;
}

static void set_mode(struct task *t, uint32_t mode)
{
	dh_area_set(t, mode, &mode);
}

static void turn_off(struct task *t)
{
	struct space *s = space_of(t);

	if (!s || s->off)
		return;
	s->off = true;
	if (s->active)
		set_mode(t, DH_BUFFER_OFF);
}

void dh_buffer_leave_alone(struct task *t)
{
	turn_off(t);
}

/* Only who shares the turn with nobody may wait without the tracer's knowledge. */
static void follow_company(struct recorder *r, struct task *t)
{
	struct space *s = space_of(t);
	uint32_t alone = DH_BUFFER_NOT_ALONE;

	if (t->group && t->group->n_tasks == 1)
		alone = r->tasks.n == 1 ? DH_BUFFER_SOLE : DH_BUFFER_ALONE;
	if (s && s->active && s->alone != alone && dh_area_set(t, alone, &alone) == 0)
		s->alone = alone;
}

void dh_buffer_group_grew(struct recorder *r, struct group *g)
{
	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;

		if (t->group == g)
			follow_company(r, t);
	}
}

static void attach(const struct task *parent, struct task *child, bool memory)
{
	struct space *s = space_of(parent);

	if (memory) {
		child->process->space = s;
		s->refs++;
	} else {
		child->process->space = fork_space(s);
	}
}

/* What the ring had is logged, and may have been taken out of it since its memory was copied. */
static void copy_ends(struct task *child)
{
	const struct space *s = space_of(child);
	const uint64_t ends[2] = {s->noted, s->drained};

	_Static_assert(offsetof(struct dh_buffer_area, head) ==
			       offsetof(struct dh_buffer_area, notes) + sizeof(uint64_t),
		"");
	dh_area_write(child, DH_LANDING_AREA + offsetof(struct dh_buffer_area, notes), ends,
		sizeof(ends));
}

void dh_buffer_cloned(struct recorder *r, struct task *parent, struct task *child, uint64_t flags)
{
	struct space *s = space_of(parent);
	bool memory = flags & CLONE_VM, files = flags & CLONE_FILES;
	bool thread = child->process == parent->process;

	if (r->opt->calls && dh_notes_moves(parent, flags))
		child->process->elsewhere = true;
	if (!s)
		return;
	if (!thread)
		attach(parent, child, memory);
	if (child->process->elsewhere)
		turn_off(child);
	if (!memory && s->active) {
		copy_ends(child);
		dh_buffer_allow(child, 0, false);
	}
	follow_company(r, child); /* its copy of the area is as the parent's was */
	follow_company(r, parent);
	if (thread)
		return;
	/* The table of descriptors lies in memory: it must be shared exactly when they are.  A
	 * child of vfork has its own for a short time, in which nothing is buffered. */
	if (memory && (flags & CLONE_VFORK)) {
		s->paused++;
		if (s->active && !s->off)
			set_mode(parent, DH_BUFFER_OFF);
	} else if (memory != files) {
		turn_off(parent);
		turn_off(child);
	}
}

void dh_buffer_vfork_over(struct task *parent)
{
	struct space *s = space_of(parent);

	if (s && s->paused && --s->paused == 0 && s->active && !s->off)
		set_mode(parent, DH_BUFFER_RECORD);
}

/* How many bytes of the records go into one event.  Closing a descriptor makes what echo.c knows
 * about its number out of date. */
static uint64_t one_event(struct task *t, const uint8_t *records, uint64_t len)
{
	const uint8_t *at = records, *next = records;
	struct dh_ev_buffered c;

	while (dh_ev_next_buffered(&next, records + len, &c) > 0) {
		if (at > records && next - records > EVENT_MAX)
			return (uint64_t)(at - records);
		at = next;
		if (c.nr == SYS_close)
			dh_map_clear(&t->process->fd_echo);
	}
	return len;
}

static void log_records(struct recorder *r, struct task *t, uint64_t len, enum dh_ev_until until)
{
	uint8_t *at = (uint8_t *)r->drained.data;

	do {
		struct dh_ev_buffer e = {.records = at, .len = one_event(t, at, len)};
		struct iovec parts[2];
		uint8_t head;

		e.until = e.len == len ? until : DH_UNTIL_EVENT;
		dh_ev_buffer_parts(&e, &head, parts);
		dh_rec_log_parts(r, t, DH_EV_BUFFER, parts, 2);
		at += e.len;
		len -= e.len;
	} while (len);
}

void dh_buffer_drain(struct recorder *r, struct task *t, enum dh_ev_until until)
{
	struct space *s = space_of(t);
	uint64_t ends[2], head, len, zero = 0;

	if (!s || !s->active ||
		dh_area_read(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, notes), ends,
			sizeof(ends)) < 0)
		return;
	head = ends[1];
	if (head < s->drained || head > DH_BUFFER_RING_SIZE)
		return;
	len = head - s->drained;
	if (!len && (until != DH_UNTIL_ENTRY || s->entered))
		return;
	dh_buf_clear(&r->drained);
	if (len && dh_area_read(
			   t, DH_AREA_RING + s->drained, dh_buf_reserve(&r->drained, len), len) < 0)
		return;
	s->drained = head;
	s->entered = until == DH_UNTIL_ENTRY;
	log_records(r, t, len, until);
	dh_notes_drain(r, t, ends[0]);
	/* Not under the feet of the code that is about to add to it. */
	if (until != DH_UNTIL_EVENT)
		return;
	if (head > RING_LOW && dh_area_set(t, head, &zero) == 0)
		s->drained = 0;
	if (s->noted > NOTES_LOW && !r->flushing && dh_area_set(t, notes, &zero) == 0)
		s->noted = 0;
}

void dh_buffer_allow(struct task *t, uint32_t n, bool own_clock)
{
	const uint32_t word = own_clock;
	struct space *s = space_of(t);

	if (!s || !s->active || s->off)
		return;
	if (n || s->allowed)
		dh_area_set(t, free, &n);
	if (s->own_clock != own_clock)
		dh_area_set(t, own_clock, &word);
	s->allowed = n > 0;
	s->own_clock = own_clock;
}

void dh_buffer_gate_opened(struct recorder *r)
{
	const uint32_t no = 0;

	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;

		if (space_of(t) && space_of(t)->active)
			dh_area_set(t, limited, &no);
	}
}

bool dh_buffer_call_inside(struct task *t, struct dh_sys_call *ret)
{
	struct space *s = space_of(t);
	struct dh_buffer_frame f;
	uint64_t inside, head;

	if (!s || !s->active || dh_area_get(t, inside, &inside) < 0 ||
		dh_area_get(t, head, &head) < 0 || inside != head + 1 ||
		dh_area_read(t, DH_AREA_FRAME, &f, sizeof(f)) < 0)
		return false;
	ret->nr = (int64_t)f.rax;
	memcpy(ret->arg, f.arg, sizeof(ret->arg));
	return true;
}

bool dh_buffer_has_more(struct task *t)
{
	struct space *s = space_of(t);
	uint64_t head;

	return s && s->active && dh_area_get(t, head, &head) == 0 && head != s->drained;
}

void dh_buffer_before_event(struct recorder *r, struct task *t)
{
	struct task *holder = t->group ? t->group->holder : NULL;
	uint64_t inside = 0, head = 0;

	if (holder == t) {
		dh_buffer_drain(r, t, DH_UNTIL_EVENT);
		if (space_of(t))
			space_of(t)->entered = false;
	} else if (holder && space_of(holder) && space_of(holder)->active) {
		dh_area_get(holder, inside, &inside);
		dh_area_get(holder, head, &head);
		dh_buffer_drain(r, holder, inside == head + 1 ? DH_UNTIL_ENTRY : DH_UNTIL_BEHIND);
	}
}

/* The code is inside a call: it has its reasons to want room in one of them, and is about to add to
 * the other. */
static void empty(struct recorder *r, struct task *t, uint64_t reason)
{
	struct space *s = space_of(t);
	uint64_t zero = 0;

	r->flushing = true;
	dh_buffer_drain(r, t, DH_UNTIL_EVENT);
	r->flushing = false;
	if (s->drained && dh_area_set(t, head, &zero) == 0)
		s->drained = 0;
	if (reason == DH_BUFFER_STOP_NOTES && dh_area_set(t, notes, &zero) == 0)
		s->noted = 0;
}

bool dh_buffer_flush(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct space *s = space_of(t);
	uint32_t zero = 0;

	if (!s || !s->active)
		return false;
	if (s->yielded && dh_area_set(t, yield, &zero) == 0)
		s->yielded = false;
	if (dh_regs_pc(regs) != DH_BUFFER_STOP_END)
		return false;
	empty(r, t, dh_regs_arg(regs, 0));
	dh_regs_finish_syscall(regs, 0);
	dh_tracee_set_regs(&t->t, regs);
	return true;
}

static void set_fd(struct task *t, uint64_t fd, uint8_t class)
{
	if (fd < DH_BUFFER_FDS)
		dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd) + fd, &class,
			sizeof(class));
}

/* Calls that stop and close descriptors, or make some of a known kind. */
static void follow_call(struct task *t, int64_t result)
{
	static const uint8_t none[DH_BUFFER_FDS];
	uint64_t fd = (uint32_t)dh_regs_arg(&t->entry, 0);

	switch (t->nr) {
	case SYS_close:
		set_fd(t, fd, DH_BUFFER_FD_UNKNOWN);
		break;
	case SYS_dup2:
	case SYS_dup3:
		if (result >= 0)
			set_fd(t, (uint64_t)result, DH_BUFFER_FD_UNKNOWN);
		break;
	case SYS_close_range:
		dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd), none,
			sizeof(none));
		break;
	case SYS_socket:
	case SYS_accept:
	case SYS_accept4:
		if (result >= 0)
			set_fd(t, (uint64_t)result, DH_BUFFER_FD_SOCKET);
		break;
	case SYS_unshare:
		if (dh_regs_arg(&t->entry, 0) & CLONE_FILES)
			turn_off(t);
		break;
	default:
		break;
	}
}

bool dh_buffer_is_used(struct recorder *r, const struct space *s)
{
	return !s->off && !s->paused && (dh_gate_is_open(r) || r->gate->allows);
}

void dh_buffer_exit(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct space *s = space_of(t);
	const struct dh_patch *p = s ? dh_patches_call_end(&s->patches, dh_regs_pc(regs)) : NULL;

	if (!s)
		return;
	if (p && dh_patch_is_applied(&t->t, p)) {
		/* Patched since this call began: what follows it is not in its place any more. */
		dh_patch_finish(p, regs);
		dh_tracee_set_regs(&t->t, regs);
	} else if (!dh_buffer_is_used(r, s)) {
		/* Every call stops. */
	} else if (!dh_patch_in_trampoline(dh_regs_pc(regs))) {
		dh_buffer_seen(r, t, regs);
	} else {
		dh_buffer_learn(r, t);
	}
	follow_company(r, t);
	if (r->opt->calls && dh_notes_moves(t, 0)) {
		t->process->elsewhere = true;
		turn_off(t);
	}
	/* A child of vfork has descriptors of its own. */
	if (s->active && !t->vfork_parent)
		follow_call(t, dh_regs_result(regs));
}

void dh_buffer_restart(struct task *t, struct dh_regs *regs)
{
	struct space *s = space_of(t);
	const struct dh_patch *p = s ? dh_patches_call_end(&s->patches, dh_regs_pc(regs)) : NULL;

	if (!p || !dh_patch_is_applied(&t->t, p))
		return;
	/* From there it is the same call, and stops again. */
	dh_regs_set_pc(regs, dh_patch_trampoline_end(p));
	dh_tracee_set_regs(&t->t, regs);
}

bool dh_buffer_yield(struct task *t)
{
	struct space *s = space_of(t);
	uint32_t one = 1;

	if (!s || !s->active || s->off || s->yielded || dh_area_set(t, yield, &one) < 0)
		return false;
	s->yielded = true;
	return true;
}

static void add_shared(struct task *t, const struct dh_buf *list)
{
	static const uint8_t none[DH_BUFFER_FDS];
	uint64_t n = list->len / (2 * sizeof(uint64_t));
	uint32_t count = (uint32_t)DH_MIN(n, DH_BUFFER_SHARED + 1);

	dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, shared), list->data,
		DH_MIN(n, (uint64_t)DH_BUFFER_SHARED) * 2 * sizeof(uint64_t));
	dh_area_set(t, n_shared, &count);
	/* Everything is looked at again. */
	dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, fd), none, sizeof(none));
}

void dh_buffer_shared(struct recorder *r, uint64_t dev, uint64_t ino)
{
	uint64_t id[2] = {dev, ino};

	dh_buf_add(&r->shared_files, id, sizeof(id));
	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;
		struct space *s = space_of(t);

		if (s && s->active)
			add_shared(t, &r->shared_files);
	}
}

/* The first patch of an address space: the area is all zero before. */
void dh_buffer_activate(struct recorder *r, struct task *t)
{
	struct space *s = space_of(t);
	const uint32_t limited = !dh_gate_is_open(r);
	uint32_t own = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, 0, 0) >= 0;

	if (s->active)
		return;
	s->active = true;
	if (r->opt->calls && dh_notes_attach(r, t) < 0) {
		s->off = true;
		return;
	}
	dh_area_set(t, limited, &limited);
	/* Without kcmp a file that is opened anew may be taken for our own output. */
	dh_area_set(t, own_files, &own);
	if (r->shared_files.len)
		add_shared(t, &r->shared_files);
	follow_company(r, t);
	set_mode(t, DH_BUFFER_RECORD);
}
