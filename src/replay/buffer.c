/* The buffer inside the program (wire/buffer.h): its calls are answered from the ring, which is
 * filled here. */
#include "replay/debug.h"
#include "replay/replayer.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fd.h"
#include "isa/random.h"
#include "proc/patch.h"
#include "wire/buffer.h"

/* What is known of one address space; tasks that share it share this. */
struct replay_space {
	int refs;
	struct dh_patches patches;
};

#define PAGE              4096ull
#define FIELD(member)     (DH_LANDING_AREA + offsetof(struct dh_buffer_area, member))
#define GET(t, member, p) dh_tracee_read(&(t)->t, FIELD(member), p, sizeof(*(p)))
#define SET(t, member, p) dh_tracee_write(&(t)->t, FIELD(member), p, sizeof(*(p)))

void dh_play_buffer_release(struct dh_replay_task *t)
{
	struct replay_space *s = t->space;

	t->space = NULL;
	if (!s || --s->refs)
		return;
	dh_patches_release(&s->patches);
	free(s);
}

void dh_play_buffer_exec(struct dh_replay_task *t)
{
	dh_play_buffer_release(t);
	t->space = dh_new(struct replay_space);
	t->space->refs = 1;
}

void dh_play_buffer_cloned(
	struct dh_replay_task *parent, struct dh_replay_task *child, uint64_t flags)
{
	if (!parent->space)
		return;
	if (flags & CLONE_VM) {
		child->space = parent->space;
		child->space->refs++;
		return;
	}
	child->space = dh_new(struct replay_space);
	child->space->refs = 1;
	dh_patches_copy(&child->space->patches, &parent->space->patches);
}

static int gone(struct dh_replay *r, struct dh_replay_task *t)
{
	return dh_rpl_diverged(r, t, "the process is gone");
}

void dh_play_buffer_behind(struct dh_replay_task *t, struct dh_regs *regs)
{
	const struct dh_patch *p =
		t->space ? dh_patches_call_end(&t->space->patches, dh_regs_pc(regs)) : NULL;

	if (p && dh_patch_is_applied(&t->t, p))
		dh_patch_finish(p, regs);
}

static int play_trap(struct dh_replay *r, struct dh_replay_task *t, uint64_t addr)
{
	const uint8_t trap = DH_RANDOM_TRAP;

	if (dh_tracee_write(&t->t, addr, &trap, sizeof(trap)) < 0)
		return dh_rpl_diverged(r, t, "has no code at 0x%" PRIx64, addr);
	return 0;
}

/* Whether the process, which has our descriptors and never closes them, may write output itself.  A
 * debugger's breakpoints might be in it. */
static bool shows_directly(const struct dh_replay *r)
{
	return r->opt.out_fd == STDOUT_FILENO && r->opt.err_fd == STDERR_FILENO && !r->debug;
}

int dh_play_patch(struct dh_replay *r, struct dh_replay_task *t)
{
	const uint32_t mode = DH_BUFFER_REPLAY, shows = shows_directly(r);
	struct dh_ev_patch e;
	struct dh_patch p;
	struct dh_regs regs;
	int error;

	if (dh_ev_get_patch(&r->ev, &e) < 0 || t->at != AT_USER)
		return dh_rpl_damaged(r);
	if (e.form == DH_EV_PATCH_TRAP)
		return play_trap(r, t, e.start);
	if (e.form >= DH_PATCH_FORMS || !t->space)
		return dh_rpl_damaged(r);
	p = (struct dh_patch){e.start, (enum dh_patch_form)e.form, e.constant, e.index};
	if (dh_patches_add(&t->space->patches, &p) < 0)
		return dh_rpl_damaged(r);
	dh_debug_lift(r, t, p.start, dh_patch_length(&p));
	error = dh_patch_apply(&t->t, &p);
	if (error < 0 || SET(t, mode, &mode) < 0 || SET(t, shows, &shows) < 0 ||
		dh_tracee_get_regs(&t->t, &regs) < 0)
		return dh_rpl_diverged(r, t, "has other code at 0x%" PRIx64, e.start);
	dh_play_buffer_behind(t, &regs);
	return dh_tracee_set_regs(&t->t, &regs) < 0 ? gone(r, t) : 0;
}

/* A stop of the buffer's own code at which it makes another call than the recorded one. */
int dh_play_buffer_check(struct dh_replay *r, struct dh_replay_task *t, const struct dh_regs *regs)
{
	const struct dh_sys_desc *want;
	const char *name;
	uint32_t expected;

	if (dh_regs_pc(regs) != DH_BUFFER_STOP_END ||
		dh_regs_arg(regs, 0) != DH_BUFFER_STOP_DIVERGED || GET(t, expected, &expected) < 0)
		return 0;
	want = dh_sysmodel_find(expected & ((1u << DH_BUFFER_NR_BITS) - 1));
	name = want ? want->name : "?";
	if (expected & (DH_BUFFER_OTHER_ARGUMENTS | DH_BUFFER_OTHER_DATA))
		return dh_rpl_diverged(r, t, "made the buffered system call %s with other %s", name,
			expected & DH_BUFFER_OTHER_DATA ? "data" : "arguments");
	return dh_rpl_diverged(
		r, t, "made another system call where buffered %s was recorded", name);
}

static void show(struct dh_replay *r, struct dh_replay_task *t, int fd, uint64_t addr, uint64_t len)
{
	uint8_t piece[16384];

	dh_debug_lift(r, t, addr, len);
	while (fd >= 0 && len) {
		size_t n = DH_MIN(len, sizeof(piece));

		if (dh_tracee_read(&t->t, addr, piece, n) < 0 || dh_write_full(fd, piece, n) < 0)
			return;
		addr += n;
		len -= n;
	}
}

/* Maps a file at an address, as the call says in which the buffer is. */
static int map(struct dh_replay *r, struct dh_replay_task *t, uint64_t file, uint64_t addr)
{
	struct dh_buffer_frame f;
	struct dh_ev_vma v;

	if (dh_tracee_read(&t->t, DH_AREA_FRAME, &f, sizeof(f)) < 0)
		return gone(r, t);
	v = (struct dh_ev_vma){.start = addr,
		.end = addr + ((f.arg[1] + PAGE - 1) & ~(PAGE - 1)),
		.offset = f.arg[5],
		.file = file,
		.prot = (int)f.arg[2] & 7};
	if (!file || !dh_map_getp(&r->files, file))
		return dh_rpl_damaged(r);
	dh_debug_lift(r, t, DH_DEBUG_ALL);
	return dh_image_map(r, t, &v, (unsigned)(f.arg[3] & (MAP_NORESERVE | MAP_STACK)));
}

int dh_play_buffer_serve(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_regs regs;
	int fd, e = 0;

	if (!t->space || !t->space->patches.n || dh_tracee_get_regs(&t->t, &regs) < 0 ||
		dh_regs_pc(&regs) != DH_BUFFER_STOP_END)
		return 0;
	switch (dh_regs_arg(&regs, 0)) {
	case DH_BUFFER_STOP_SHOW:
		fd = dh_regs_arg(&regs, 3) == DH_BUFFER_OUT_SHOWN ? r->opt.out_fd : r->opt.err_fd;
		show(r, t, fd, dh_regs_arg(&regs, 1), dh_regs_arg(&regs, 2));
		break;
	case DH_BUFFER_STOP_MAP:
		e = map(r, t, dh_regs_arg(&regs, 1), dh_regs_arg(&regs, 2));
		break;
	default:
		return 0;
	}
	if (e < 0)
		return e;
	dh_regs_finish_syscall(&regs, 0);
	dh_tracee_set_regs(&t->t, &regs);
	return 1;
}

/* Runs to a stop of the buffer itself. */
static int run_to_stop(
	struct dh_replay *r, struct dh_replay_task *t, uint64_t pc, struct dh_regs *regs)
{
	struct dh_stop stop;
	int e = dh_run_to_stop(r, t, &stop);

	if (e < 0)
		return e;
	if (dh_tracee_get_regs(&t->t, regs) < 0)
		return gone(r, t);
	if (stop.kind == DH_STOP_SECCOMP)
		e = dh_play_buffer_check(r, t, regs);
	if (e == 0 && (stop.kind != DH_STOP_SECCOMP || dh_regs_pc(regs) != pc))
		e = dh_rpl_diverged(r, t, "stopped before all its buffered calls were made");
	if (e == 0)
		t->at = AT_USER;
	return e;
}

/* Until the last record is used up, and the call that used it is over. */
static int run_through(struct dh_replay *r, struct dh_replay_task *t)
{
	const uint32_t one = 1, zero = 0;
	const struct dh_patch *p;
	struct dh_regs regs;
	uint64_t target, result;
	int e;

	if (SET(t, trap_empty, &one) < 0)
		return gone(r, t);
	e = run_to_stop(r, t, DH_BUFFER_TRAP_END, &regs);
	if (e < 0)
		return e;
	if (SET(t, trap_empty, &zero) < 0 || SET(t, trap, &zero) < 0 ||
		GET(t, target, &target) < 0 || GET(t, result, &result) < 0)
		return gone(r, t);
	p = dh_patches_trampoline(&t->space->patches, target);
	if (!p || target != dh_patch_trampoline_end(p))
		return dh_rpl_diverged(r, t, "left the buffer at 0x%" PRIx64, target);
	dh_regs_finish_syscall(&regs, (int64_t)result);
	dh_regs_set_call_end(&regs, target);
	dh_patch_finish(p, &regs);
	return dh_tracee_set_regs(&t->t, &regs) < 0 ? gone(r, t) : 0;
}

/* Until a call finds the ring empty; the task then waits inside it. */
static int run_to_entry(struct dh_replay *r, struct dh_replay_task *t)
{
	const uint32_t one = 1, zero = 0;
	struct dh_regs regs;
	int e;

	if (SET(t, trap_entry, &one) < 0)
		return gone(r, t);
	e = run_to_stop(r, t, DH_BUFFER_STOP_END, &regs);
	if (e < 0)
		return e;
	dh_regs_finish_syscall(&regs, 0);
	if (SET(t, trap_entry, &zero) < 0 || dh_tracee_set_regs(&t->t, &regs) < 0)
		return gone(r, t);
	return 0;
}

int dh_play_buffer_use_up(struct dh_replay *r, struct dh_replay_task *t)
{
	uint64_t head, tail;

	if (!t->space || !t->space->patches.n)
		return 0;
	if (GET(t, head, &head) < 0 || GET(t, tail, &tail) < 0)
		return gone(r, t);
	return head == tail ? 0 : run_through(r, t);
}

static int load(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_buffer *e)
{
	const uint64_t zero = 0;

	if (dh_tracee_write(&t->t, DH_AREA_RING, e->records, e->len) < 0 ||
		SET(t, tail, &zero) < 0 || SET(t, head, &e->len) < 0)
		return gone(r, t);
	return 0;
}

int dh_play_buffer(struct dh_replay *r, struct dh_replay_task *t)
{
	struct dh_ev_buffer e;
	int error;

	if (dh_ev_get_buffer(&r->ev, &e) < 0 || e.len > DH_BUFFER_RING_SIZE || !t->space ||
		t->at != AT_USER)
		return dh_rpl_damaged(r);
	error = dh_play_buffer_use_up(r, t);
	if (error == 0)
		error = load(r, t, &e);
	/* Output is shown even when the recording ends here. */
	if (error == 0 && e.len && (e.until != DH_UNTIL_EVENT || e.shows))
		error = run_through(r, t);
	if (error == 0 && e.until == DH_UNTIL_ENTRY)
		error = run_to_entry(r, t);
	r->stats.buffered += e.n;
	return error;
}

int dh_play_buffer_rewind(struct dh_replay *r, struct dh_replay_task *t)
{
	const struct dh_patch *p = NULL;
	struct dh_regs regs;

	if (t->at != AT_ENTRY || !t->space)
		return 0;
	if (dh_tracee_get_regs(&t->t, &regs) < 0)
		return gone(r, t);
	p = dh_patches_trampoline(&t->space->patches, dh_regs_pc(&regs));
	if (!p)
		return 0;
	dh_regs_finish_syscall(&regs, dh_regs_syscall(&regs));
	dh_patch_begin(p, &regs);
	t->at = AT_USER;
	return dh_tracee_set_regs(&t->t, &regs) < 0 ? gone(r, t) : 0;
}
