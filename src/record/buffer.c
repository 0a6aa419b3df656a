/* What is read from the buffers, and told to them. */
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
	struct space *s = dh_space_of(t);
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
	s->emptied_by = 0;
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
	struct space *s = dh_space_of(t);

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

		if (dh_space_of(t) && dh_space_of(t)->active)
			dh_area_set(t, limited, &no);
	}
}

bool dh_buffer_call_inside(struct task *t, struct dh_sys_call *ret)
{
	struct space *s = dh_space_of(t);
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
	struct space *s = dh_space_of(t);
	uint64_t head;

	return s && s->active && dh_area_get(t, head, &head) == 0 && head != s->drained;
}

void dh_buffer_before_event(struct recorder *r, struct task *t)
{
	struct task *holder = t->group ? t->group->holder : NULL;
	struct space *s = dh_space_of(t);
	uint64_t inside = 0, head = 0;

	if (holder == t) {
		/* Nobody has run since the last time. */
		if (s && s->emptied_by == t->id && s->emptied_at == t->t.resumed)
			return;
		dh_buffer_drain(r, t, DH_UNTIL_EVENT);
		if (s) {
			s->entered = false;
			s->emptied_by = t->id;
			s->emptied_at = t->t.resumed;
		}
	} else if (holder && dh_space_of(holder) && dh_space_of(holder)->active) {
		dh_area_get(holder, inside, &inside);
		dh_area_get(holder, head, &head);
		dh_buffer_drain(r, holder, inside == head + 1 ? DH_UNTIL_ENTRY : DH_UNTIL_BEHIND);
	}
}

/* The code is inside a call: it has its reasons to want room in one of them, and is about to add to
 * the other. */
static void empty(struct recorder *r, struct task *t, uint64_t reason)
{
	struct space *s = dh_space_of(t);
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
	struct space *s = dh_space_of(t);
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

void dh_buffer_forget_opened(struct task *t)
{
	const uint32_t none = 0;

	dh_area_set(t, opened.known, &none);
}

/* Calls that stop and close descriptors, or make some of a known kind. */
static void follow_call(struct task *t, int64_t result)
{
	static const uint8_t none[DH_BUFFER_FDS];
	uint64_t fd = (uint32_t)dh_regs_arg(&t->entry, 0);

	if (t->nr == SYS_close || t->nr == SYS_dup2 || t->nr == SYS_dup3 ||
		t->nr == SYS_close_range)
		dh_buffer_forget_opened(t);
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
			dh_space_turn_off(t);
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
	struct space *s = dh_space_of(t);
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
	dh_space_follow_company(r, t);
	if (r->opt->calls && dh_notes_moves(t, 0)) {
		t->process->elsewhere = true;
		dh_space_turn_off(t);
	}
	/* A child of vfork has descriptors of its own, and the table only when it is lent. */
	if (s->active && (!t->vfork_parent || s->lent))
		follow_call(t, dh_regs_result(regs));
}

void dh_buffer_restart(struct task *t, struct dh_regs *regs)
{
	struct space *s = dh_space_of(t);
	const struct dh_patch *p = s ? dh_patches_call_end(&s->patches, dh_regs_pc(regs)) : NULL;

	if (!p || !dh_patch_is_applied(&t->t, p))
		return;
	/* From there it is the same call, and stops again. */
	dh_regs_set_pc(regs, dh_patch_trampoline_end(p));
	dh_tracee_set_regs(&t->t, regs);
}

bool dh_buffer_yield(struct task *t)
{
	struct space *s = dh_space_of(t);
	uint32_t one = 1;

	if (!s || !s->active || s->off || s->yielded || dh_area_set(t, yield, &one) < 0)
		return false;
	s->yielded = true;
	return true;
}
