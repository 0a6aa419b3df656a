/* Finding an arbitrary point again: see docs/REPLAY.md and record/point.c.
 * The instruction is patched with a jump to a stub that compares registers and a few words at each
 * visit (isa/stub.h) and traps only when all are equal; then the rest is compared here.  Where code
 * cannot be patched a hardware breakpoint does the same, slowly. */
#include "replay/seek.h"
#include "replay/debug.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "isa/relocate.h"
#include "proc/code.h"
#include "proc/hwbreak.h"
#include "proc/maps.h"
#include "proc/memhash.h"

#define PAGE       4096ull
#define NEAR       0x70000000ull
#define JUMP_SIZE  DH_ISA_JUMP_SIZE
#define AREA_SIZE  (3 * PAGE)
#define BREAKPOINT 0xcc
#define STEPS_MAX  64
#define TRAP_BIT   (1ull << (SIGTRAP - 1))

/* Replaces the bytes of the patched instructions, unless the program has changed them. */
static int exchange(struct seek *s, const uint8_t *from, const uint8_t *to)
{
	uint8_t now[DH_WINDOW_MAX_BYTES];

	if (dh_tracee_read(&s->t->t, s->window.pc, now, s->window.original) < 0 ||
		memcmp(now, from, s->window.original) != 0)
		return -EBUSY;
	return dh_tracee_write(&s->t->t, s->window.pc, to, s->window.original);
}

/* Looks at memory as the program left it. */
static bool memory_equal(struct seek *s)
{
	struct dh_maps maps = DH_MAPS_INIT;
	uint64_t hash = 0;
	int e;

	if (!dh_seek_pages_equal(s))
		return false;
	e = dh_memhash(&s->t->t, &maps, s->area.start ? &s->area : NULL, NULL, &hash);
	dh_maps_release(&maps);
	return e == 0 && hash == s->p->mem_hash;
}

/* A trap in a thread that blocks SIGTRAP unblocks it, which the program did not do.  It is blocked
 * again when it is so at the point, and the mask is otherwise the one of before or of the point. */
static void mend_mask(struct seek *s)
{
	uint64_t mask, full;

	if (dh_tracee_get_sigmask(&s->t->t, &mask) < 0)
		return;
	full = mask | TRAP_BIT;
	if (mask != full && (s->p->mask & TRAP_BIT) && (full == s->mask || full == s->p->mask)) {
		dh_tracee_set_sigmask(&s->t->t, full);
		mask = full;
	}
	s->mask = mask;
}

/* True: this is the point.  False: it is not, and what differs has become a test. */
static bool is_point(struct seek *s, const struct dh_regs *regs)
{
	uint8_t xstate[DH_XSTATE_MAX];
	bool same;
	int n;

	mend_mask(s);
	if (!dh_regs_equal(regs, &s->p->regs))
		return false;
	dh_debug_lift(s->r, s->t, DH_DEBUG_ALL);
	if (!dh_seek_words_equal(s))
		return false;
	n = dh_tracee_get_xstate(&s->t->t, xstate, sizeof(xstate));
	if (n < 0)
		return false;
	if (!dh_xstate_equal(&s->r->layout, s->p->xstate, s->p->xstate_len, xstate, (size_t)n)) {
		dh_seek_refine_by_xstate(s, xstate, (size_t)n);
		return false;
	}
	if (s->mask != s->p->mask)
		return false;
	if (s->patched && exchange(s, s->jump, s->window.bytes) < 0)
		return false;
	same = memory_equal(s);
	if (s->patched && exchange(s, s->window.bytes, s->jump) < 0)
		return false;
	return same;
}

static bool is_free(const struct dh_maps *maps, uint64_t at, uint64_t len)
{
	for (size_t i = 0; i < maps->n; i++) {
		if (at < maps->vmas[i].end + PAGE && maps->vmas[i].start < at + len + PAGE)
			return false;
	}
	return true;
}

/* Where the stub goes.  Something may enter the patched instructions in their middle (a handler
 * that returns there, a computed jump): unless there is only one, the bytes of the jump are chosen
 * so that this is noticed. */
static uint64_t choose_code(const struct seek *s, const struct dh_maps *maps)
{
	if (s->window.n == 1)
		return dh_maps_find_free(maps, s->window.pc, AREA_SIZE, NEAR);
	for (unsigned i = 0; i < DH_ISA_TRAPPING_TARGETS; i++) {
		uint64_t entry = dh_isa_trapping_target(s->window.pc, i);
		uint64_t at = entry - DH_STUB_ENTRY;

		if (entry > 16 * PAGE && is_free(maps, at & ~(PAGE - 1), AREA_SIZE))
			return at;
	}
	return 0;
}

static int map_area(struct seek *s)
{
	struct dh_maps maps = DH_MAPS_INIT;
	uint64_t page;
	int e = dh_maps_read(&maps, s->t->t.tid);
	const struct dh_vma *v = e == 0 ? dh_maps_find(&maps, s->window.pc) : NULL;

	s->code = v ? choose_code(s, &maps) : 0;
	s->writable = v && (v->prot & PROT_WRITE);
	dh_maps_release(&maps);
	if (!s->code)
		return -ENOTSUP;
	page = s->code & ~(PAGE - 1);
	e = dh_run_inject(s->r, s->t, NULL, SYS_mmap, page, AREA_SIZE,
		PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, (uint64_t)-1, 0);
	if (e == 0)
		s->area = (struct dh_memhash_skip){page, page + AREA_SIZE};
	s->r->stub = e == 0 ? &s->stub : NULL;
	return e;
}

static int write_stub(struct seek *s)
{
	uint8_t code[PAGE];
	size_t n_tests = s->visits < DH_SEEK_LEARN ? 0 : s->n_tests;
	int n = dh_stub_build(&s->window, s->tests, n_tests, &s->r->layout, s->code,
		s->area.end - PAGE, code, sizeof(code), &s->stub);

	if (n < 0)
		return n;
	return dh_tracee_write(&s->t->t, s->code, code, (size_t)n);
}

/* Code that the program can write to is watched while the jump is in it. */
static int watch_code(struct seek *s)
{
	uint64_t word = s->window.pc & ~7ull;
	int e = 0;

	if (!s->writable)
		return 0;
	if (s->r->debug)
		return -ENOTSUP; /* the debugger's watchpoints take the room */
	for (int slot = 0; word < s->window.pc + s->window.original && e == 0; word += 8)
		e = slot < DH_HWBREAK_SLOTS
			    ? dh_hwbreak_set(&s->t->t, slot++, DH_HWBREAK_WRITE, word, 8)
			    : -ENOTSUP;
	return e < 0 ? -ENOTSUP : 0;
}

static void unwatch_code(struct seek *s)
{
	for (int slot = 0; s->writable && !s->r->debug && slot < DH_HWBREAK_SLOTS; slot++)
		dh_hwbreak_clear(&s->t->t, slot);
}

/* The program has written to the watched code: its bytes, wherever they are not the jump's, and
 * the search begins again with them. */
static int rewritten(struct seek *s)
{
	uint8_t now[DH_WINDOW_MAX_BYTES];

	if (dh_tracee_read(&s->t->t, s->window.pc, now, s->window.original) < 0)
		return dh_rpl_diverged(s->r, s->t, "the process is gone");
	for (unsigned i = 0; i < s->window.original; i++) {
		if (now[i] == s->jump[i])
			now[i] = s->window.bytes[i];
	}
	if (dh_tracee_write(&s->t->t, s->window.pc, now, s->window.original) < 0)
		return dh_rpl_diverged(s->r, s->t, "the process is gone");
	s->patched = false;
	return -ERESTART;
}

static int patch(struct seek *s)
{
	int e;

	if (s->window.length < JUMP_SIZE)
		return -ENOTSUP; /* what lies behind is not part of it */
	e = map_area(s);
	if (e == 0)
		e = write_stub(s);
	if (e == 0)
		e = dh_isa_jump(s->window.pc, s->stub.entry, s->jump);
	if (e == 0)
		e = watch_code(s);
	if (e < 0)
		return e;
	memset(s->jump + JUMP_SIZE, BREAKPOINT, sizeof(s->jump) - JUMP_SIZE);
	e = exchange(s, s->window.bytes, s->jump);
	s->patched = e == 0;
	return e;
}

static void unmap_area(struct seek *s)
{
	if (s->area.start)
		dh_run_inject(s->r, s->t, NULL, SYS_munmap, s->area.start, AREA_SIZE, 0, 0, 0, 0);
	s->area.start = 0;
	s->r->stub = NULL;
}

static int past(struct seek *s)
{
	return dh_rpl_diverged(s->r, s->t,
		"went past the asynchronous event at 0x%" PRIx64
		" (a program that checks its own code needs --no-patch)",
		dh_regs_pc(&s->p->regs));
}

/* A task that stands inside the bytes to be patched steps out of them first.  1: it met the point
 * on the way. */
static int step_out(struct seek *s)
{
	struct dh_regs regs;
	struct dh_stop stop;

	for (int i = 0; i < STEPS_MAX; i++) {
		if (dh_tracee_get_regs(&s->t->t, &regs) < 0)
			return dh_rpl_diverged(s->r, s->t, "the process is gone");
		dh_regs_clear_trap(&regs);
		if (dh_regs_pc(&regs) == s->window.pc && is_point(s, &regs))
			return 1;
		if (dh_regs_pc(&regs) <= s->window.pc ||
			dh_regs_pc(&regs) >= s->window.pc + s->window.length)
			return 0;
		if (dh_debug_watches(s->r, s->t))
			return -ENOTSUP;
		if (dh_tracee_resume(&s->t->t, DH_RESUME_STEP, 0) < 0 ||
			dh_tracee_wait(&s->t->t, &stop) < 0)
			return past(s);
		if (stop.kind == DH_STOP_INTERRUPT)
			continue; /* asked for while the last point was sought */
		if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP)
			return past(s);
	}
	return -ENOTSUP;
}

/* 1: found, and the program's code is as it was. */
static int on_trap(struct seek *s, struct dh_regs *regs)
{
	s->r->stats.traps++;
	dh_regs_set_pc(regs, s->window.pc);
	if (is_point(s, regs)) {
		if (dh_tracee_write(&s->t->t, s->window.pc, s->window.bytes, s->window.original) <
				0 ||
			dh_tracee_set_regs(&s->t->t, regs) < 0)
			return dh_rpl_diverged(s->r, s->t, "the process is gone");
		return 1;
	}
	if (s->visits < DH_SEEK_LEARN) {
		dh_seek_learn(s, regs);
	} else {
		s->r->stats.false_matches++;
	}
	/* The task goes on with the displaced instructions; the tests are better now. */
	if (write_stub(s) < 0)
		return past(s);
	dh_regs_set_pc(regs, s->stub.resume);
	dh_tracee_set_regs(&s->t->t, regs);
	return 0;
}

/* A test read memory that is gone by now. */
static bool skip_fault(struct seek *s, struct dh_regs *regs)
{
	uint64_t saved = 0;

	dh_tracee_read(&s->t->t, s->stub.saved, &saved, sizeof(saved));
	if (!dh_stub_skip(&s->stub, saved, regs))
		return false;
	dh_tracee_set_regs(&s->t->t, regs);
	return true;
}

/* Something entered the patched instructions in their middle: it goes on with the moved ones. */
static bool redirect(struct seek *s, int sig, struct dh_regs *regs)
{
	uint64_t pc = dh_regs_pc(regs) - (sig == SIGTRAP ? 1 : 0), moved;

	if ((sig != SIGTRAP && sig != SIGILL) || pc <= s->window.pc ||
		pc >= s->window.pc + s->window.original)
		return false;
	moved = dh_stub_moved_to(&s->stub, pc);
	if (!moved)
		return false;
	dh_regs_set_pc(regs, moved);
	dh_tracee_set_regs(&s->t->t, regs);
	return true;
}

/* A debugger has stopped the task, perhaps at a moved instruction: all is as without the patch. */
static int unpatch(struct seek *s)
{
	struct dh_regs regs;
	uint64_t pc;

	if (dh_tracee_get_regs(&s->t->t, &regs) < 0 ||
		dh_tracee_write(&s->t->t, s->window.pc, s->window.bytes, s->window.original) < 0)
		return dh_rpl_diverged(s->r, s->t, "the process is gone");
	pc = dh_stub_original(&s->stub, dh_regs_pc(&regs));
	if (pc) {
		dh_regs_set_pc(&regs, pc);
		dh_tracee_set_regs(&s->t->t, &regs);
	}
	return -EAGAIN;
}

static int seek_by_stub(struct seek *s)
{
	struct dh_regs regs;
	struct dh_stop stop;
	int e;

	for (;;) {
		e = dh_run_to_stop(s->r, s->t, &stop);
		if (e < 0)
			return e == -EAGAIN ? unpatch(s) : e;
		if (stop.kind != DH_STOP_SIGNAL || dh_tracee_get_regs(&s->t->t, &regs) < 0)
			return past(s);
		if ((stop.code == SIGSEGV && skip_fault(s, &regs)) || redirect(s, stop.code, &regs))
			continue;
		if (stop.code == SIGTRAP && s->writable && dh_regs_pc(&regs) != s->stub.trap + 1)
			return rewritten(s);
		if (stop.code != SIGTRAP || dh_regs_pc(&regs) != s->stub.trap + 1)
			return past(s);
		e = on_trap(s, &regs);
		if (e != 0)
			return e < 0 ? e : 0;
	}
}

static int seek_by_breakpoint(struct seek *s)
{
	struct dh_regs regs;
	struct dh_stop stop;
	int e;

	e = dh_hwbreak_set(&s->t->t, 0, DH_HWBREAK_EXEC, dh_regs_pc(&s->p->regs), 1);
	if (e < 0)
		return dh_rpl_diverged(
			s->r, s->t, "cannot have a hardware breakpoint: %s", strerror(-e));
	do {
		e = dh_run_to_stop(s->r, s->t, &stop);
		if (e == -EAGAIN)
			dh_hwbreak_clear(&s->t->t, 0);
		if (e < 0)
			return e;
		if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP ||
			dh_tracee_get_regs(&s->t->t, &regs) < 0)
			return past(s);
		s->r->stats.traps++;
	} while (!is_point(s, &regs));
	dh_hwbreak_clear(&s->t->t, 0);
	return 0;
}

/* Who uses a debugger has all the time that there is. */
static void begin_patience(struct seek *s, bool fast)
{
	if (s->r->debug)
		return;
	dh_patience_begin(&s->patience, s->t->t.tid, s->p->cpu_ns, fast);
	s->r->patience = &s->patience;
}

static void end_patience(struct seek *s)
{
	dh_patience_end(&s->patience);
	s->r->patience = NULL;
}

/* Code that the user steps through or has breakpoints in is not patched. */
static bool can_patch(struct seek *s)
{
	return !s->r->opt.no_patch &&
	       dh_code_window(&s->t->t, dh_regs_pc(&s->p->regs), &s->window) == 0 &&
	       !dh_debug_steps(s->r, s->t) &&
	       !dh_debug_breaks(s->r, s->t, s->window.pc, s->window.original);
}

/* -EAGAIN: a debugger wants to show the task first; -ERESTART: the code is another one now. */
static int seek(struct seek *s)
{
	struct dh_regs regs;
	int e;

	e = dh_play_buffer_use_up(s->r, s->t);
	if (e < 0)
		return e;
	if (dh_tracee_get_regs(&s->t->t, &regs) < 0)
		return dh_rpl_diverged(s->r, s->t, "the process is gone");
	if (is_point(s, &regs))
		return 0;
	dh_debug_lift(s->r, s->t, DH_DEBUG_ALL);
	if (can_patch(s)) {
		e = step_out(s);
		if (e != 0 && e != -ENOTSUP)
			return e < 0 ? e : 0;
		if (e == 0)
			e = patch(s);
		if (e == 0) {
			begin_patience(s, true);
			e = seek_by_stub(s);
			end_patience(s);
		}
		unwatch_code(s);
		unmap_area(s);
		if (e != -ENOTSUP && e != -ERANGE)
			return e;
	}
	begin_patience(s, false);
	e = seek_by_breakpoint(s);
	end_patience(s);
	return e;
}

int dh_seek_point(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_point *point)
{
	struct seek s = {.r = r, .t = t, .p = point};
	int e, shown;

	r->stats.points++;
	dh_seek_first_tests(&s);
	do {
		r->seeking = true;
		do
			e = seek(&s);
		while (e == -ERESTART);
		r->seeking = false;
		shown = e == 0 || e == -EAGAIN ? dh_debug_wait(r, t) : 0;
	} while (e == -EAGAIN && shown == 0);
	return shown < 0 ? shown : e;
}
