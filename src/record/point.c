/* Exact points without a performance counter: see docs/REPLAY.md.
 * The thread's own state says where it is.  A replay finds the point again by comparing registers
 * and a few words of memory each time the instruction is reached, and by a hash of all writable
 * memory when those are equal. */
#include "record/point.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "isa/access.h"
#include "isa/insn.h"
#include "isa/relocate.h"
#include "isa/window.h"
#include "proc/code.h"
#include "proc/hwbreak.h"
#include "proc/memhash.h"
#include "proc/step.h"
#include "record/buffer.h"

#define STEPS_MIN   8 /* enough to see what a small loop touches */
#define STEPS_FIRST 300
#define STEPS_SHORT 32 /* beyond the least number */
#define STEPS_ANY   128
#define STEPS_MAX   400
#define PAGES_MAX   24
#define SUMS_MAX    65536
#define STACK_PAGES 4
#define PAGE        4096ull
#define NEVER                                                                                      \
	(DH_INSN_REPEAT | DH_INSN_SYSCALL | DH_INSN_CLOCK | DH_INSN_UNKNOWN | DH_INSN_TRAP |       \
		DH_INSN_INVALID | DH_INSN_SETS_TRAP | DH_INSN_SHOWS_TRAP | DH_INSN_FAR)
#define WORDS_MAX  24
#define BREAKPOINT 0xcc

/* While walking everything waits but what the program's own instructions raise: the kernel would
 * kill a program that blocks those. */
#define BIT(sig) (1ull << ((sig)-1))
#define WALK_MASK                                                                                  \
	(~(BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS)))

struct word {
	uint64_t addr;
	unsigned writes, reads;
};

struct walk {
	struct recorder *r;
	struct task *t;
	struct dh_regs regs;
	struct dh_insn insn;
	bool have_insn;
	uint8_t byte; /* its first */
	struct word words[WORDS_MAX];
	int n_words;
	uint64_t mask;  /* of the program; while walking everything is blocked */
	bool all_state; /* some more calls stop */
	int least;      /* how many steps at least */
};

void dh_point_release(struct point *p)
{
	dh_buf_release(&p->xstate);
	dh_buf_release(&p->words);
	dh_buf_release(&p->pages);
	dh_buf_release(&p->sums);
}

static void decode(struct walk *w)
{
	uint8_t code[DH_INSN_MAX_LENGTH] = {0};
	uint64_t pc = dh_regs_pc(&w->regs);
	ssize_t n = dh_tracee_read_some(&w->t->t, pc, code, sizeof(code));

	w->byte = code[0];
	w->have_insn = n > 0 && dh_insn_decode(code, (size_t)n, pc, &w->insn) == 0;
}

static void note_word(struct walk *w, uint64_t addr, bool write)
{
	struct word *e;

	addr &= ~7ull;
	for (int i = 0; i < w->n_words; i++) {
		e = &w->words[i];
		if (e->addr == addr) {
			e->writes += write;
			e->reads += !write;
			return;
		}
	}
	if (w->n_words == WORDS_MAX)
		return;
	w->words[w->n_words++] = (struct word){.addr = addr, .writes = write, .reads = !write};
}

static void note_accesses(struct walk *w)
{
	struct dh_mem_access a[DH_INSN_MAX_MEM];
	int n = w->have_insn ? dh_mem_accesses(&w->insn, &w->regs, a) : 0;

	for (int i = 0; i < n; i++) {
		if (a[i].size && a[i].size <= 64)
			note_word(w, a[i].addr, a[i].write);
	}
}

/* Calls that stop the thread in a replay too; see also filter.c. */
static bool stops_at_call(const struct walk *w)
{
	int64_t nr = dh_regs_next_syscall(&w->regs);

	if (nr == SYS_madvise)
		return dh_regs_arg(&w->regs, 2) == MADV_FREE;
	return dh_sysmodel_always_stops(nr) || (w->all_state && dh_sysmodel_sets_state(nr));
}

/* A signal mask that the program changes while we have everything blocked is the one we keep. */
static void follow_mask(struct walk *w, int64_t nr, const struct dh_regs *before)
{
	uint64_t set = 0, old = w->mask, how = dh_regs_arg(before, 0);

	if (nr == SYS_rt_sigreturn) {
		dh_tracee_get_sigmask(&w->t->t, &w->mask);
	} else if (nr == SYS_rt_sigprocmask && dh_regs_result(&w->regs) == 0) {
		if (dh_regs_arg(before, 1)) {
			dh_tracee_read(&w->t->t, dh_regs_arg(before, 1), &set, sizeof(set));
			w->mask = how == SIG_BLOCK     ? old | set
				  : how == SIG_UNBLOCK ? old & ~set
						       : set;
		}
		if (dh_regs_arg(before, 2))
			dh_tracee_write(&w->t->t, dh_regs_arg(before, 2), &old, sizeof(old));
	} else {
		return;
	}
	dh_tracee_set_sigmask(&w->t->t, WALK_MASK);
}

static int run_over_repeat(struct walk *w, struct dh_stop *stop)
{
	struct dh_tracee *t = &w->t->t;
	int r = dh_hwbreak_set(t, 0, DH_HWBREAK_EXEC, w->insn.pc + w->insn.length, 1);

	if (r == 0)
		r = dh_tracee_resume(t, DH_RESUME_CONT, 0);
	if (r == 0)
		r = dh_tracee_wait(t, stop);
	if (r == 0 && stop->kind != DH_STOP_EXITED && stop->kind != DH_STOP_EXITING)
		dh_hwbreak_clear(t, 0);
	return r;
}

/* 1: went on; 0: a fault is in the way; -errno. */
static int step(struct walk *w)
{
	struct dh_tracee *t = &w->t->t;
	struct dh_regs before = w->regs;
	struct dh_step single = {0};
	bool call = w->have_insn && (w->insn.flags & DH_INSN_SYSCALL);
	struct dh_stop stop;
	int r;

	if (w->have_insn && (w->insn.flags & DH_INSN_REPEAT)) {
		r = run_over_repeat(w, &stop);
	} else {
		single = dh_step_prepare(t);
		r = dh_tracee_resume(t, DH_RESUME_STEP, 0);
		if (r == 0)
			r = dh_tracee_wait(t, &stop);
	}
	if (r < 0)
		return r;
	if (stop.kind == DH_STOP_EXITING || stop.kind == DH_STOP_EXITED) {
		w->t->stop = stop;
		return -ESRCH;
	}
	r = dh_step_clean(&single, t);
	if (r == 0)
		r = dh_tracee_get_regs(t, &w->regs);
	if (r < 0)
		return r;
	dh_regs_clear_trap(&w->regs);
	if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP)
		return 0;
	if (call)
		follow_mask(w, dh_regs_next_syscall(&before), &before);
	return 1;
}

static bool natural_stop(const struct walk *w)
{
	if (!w->have_insn)
		return false;
	if (w->insn.flags & DH_INSN_SYSCALL)
		return stops_at_call(w);
	return w->insn.flags & (DH_INSN_CLOCK | DH_INSN_TRAP | DH_INSN_INVALID);
}

/* A place that a replay can watch at full speed: one long instruction is best, because nothing can
 * branch into its middle; several short ones will do when none has come by for a while. */
static bool usable(const struct walk *w, int steps)
{
	struct dh_window window;

	if (!w->have_insn || (w->insn.flags & NEVER))
		return false;
	if (steps >= STEPS_ANY)
		return true; /* the replay falls back to a hardware breakpoint */
	if (dh_code_window(&w->t->t, dh_regs_pc(&w->regs), &window) < 0)
		return false;
	if (window.length < DH_ISA_JUMP_SIZE)
		return false; /* what lies behind is not part of it */
	return window.n == 1 || steps >= STEPS_SHORT;
}

static int compare_words(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	if (x->writes != y->writes)
		return x->writes > y->writes ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void describe_words(struct walk *w, struct point *p)
{
	qsort(w->words, (size_t)w->n_words, sizeof(w->words[0]), compare_words);
	for (int i = 0; i < w->n_words; i++) {
		uint64_t pair[2] = {w->words[i].addr, 0};

		if (dh_tracee_read(&w->t->t, pair[0], &pair[1], 8) < 0)
			continue;
		dh_buf_add(&p->words, pair, sizeof(pair));
		p->ev.n_words++;
	}
	p->ev.words = (uint8_t *)p->words.data;
}

/* When two visits look alike, the difference is in memory that has changed since the last point.
 * The contents of some such pages go into the log, and hashes of the others: a replay then need not
 * hash all memory to see that a visit is not the one. */
struct changed {
	struct dh_map *known;
	struct point *p;
	uint64_t saved[PAGES_MAX];
};

static bool is_saved(const struct changed *c, uint64_t addr)
{
	for (uint64_t i = 0; i < c->p->ev.pages.n; i++) {
		if (c->saved[i] == addr)
			return true;
	}
	return false;
}

static void save_page(struct changed *c, uint64_t addr, const uint8_t *data)
{
	dh_ev_put_write(&c->p->pages, addr, data, PAGE);
	c->saved[c->p->ev.pages.n++] = addr;
}

static bool wants_page(const struct changed *c, uint64_t addr)
{
	return c->p->ev.pages.n < PAGES_MAX && !is_saved(c, addr);
}

static void note_page(void *cookie, uint64_t addr, uint64_t hash, const uint8_t *data)
{
	struct changed *c = cookie;
	uint64_t old;

	if (dh_map_get(c->known, addr, &old) && old == hash)
		return;
	dh_map_set(c->known, addr, hash);
	if (wants_page(c, addr)) {
		save_page(c, addr, data);
	} else if (c->p->ev.n_sums < SUMS_MAX) {
		uint64_t pair[2] = {addr, hash};

		dh_buf_add(&c->p->sums, pair, sizeof(pair));
		c->p->ev.n_sums++;
	}
}

static void save_near(struct walk *w, struct changed *c, const struct dh_maps *maps, uint64_t addr)
{
	const struct dh_vma *v = dh_maps_find(maps, addr);
	uint8_t data[PAGE];

	/* Only what a replay compares: pages that can be written to. */
	if (v && (v->prot & PROT_WRITE) && wants_page(c, addr) &&
		dh_tracee_read(&w->t->t, addr, data, PAGE) == 0)
		save_page(c, addr, data);
}

/* The most likely ones come first: the callers' frames, and what was touched on the way here. */
static void save_near_pages(struct walk *w, struct changed *c)
{
	uint64_t stack = dh_regs_sp(&w->regs) & ~(PAGE - 1);
	struct dh_maps maps = DH_MAPS_INIT;

	if (dh_maps_read(&maps, w->t->t.tid) < 0)
		return;
	for (uint64_t i = 0; i < STACK_PAGES; i++)
		save_near(w, c, &maps, stack + i * PAGE);
	for (int i = 0; i < w->n_words; i++)
		save_near(w, c, &maps, w->words[i].addr & ~(PAGE - 1));
	dh_maps_release(&maps);
}

static void know_page(void *cookie, uint64_t addr, uint64_t hash, const uint8_t *data)
{
	(void)data;
	dh_map_set(cookie, addr, hash);
}

/* Before the first point of a program nothing is known of what it changes.  So its memory is hashed
 * on the way too, and the way is made long enough for a loop of an interpreter. */
static int look_before(struct walk *w)
{
	struct dh_map *known = &w->t->process->pages;
	const struct dh_memhash_watch watch = {.page = know_page, .cookie = known};
	struct dh_maps maps = DH_MAPS_INIT;
	uint64_t hash;
	int r;

	if (known->n > 0)
		return 0;
	w->least = STEPS_FIRST;
	r = dh_memhash(&w->t->t, &maps, NULL, &watch, &hash);
	dh_maps_release(&maps);
	return r;
}

static int describe(struct walk *w, struct point *p)
{
	struct changed changed = {.known = &w->t->process->pages, .p = p};
	const struct dh_memhash_watch watch = {.page = note_page, .cookie = &changed};
	struct dh_maps maps = DH_MAPS_INIT;
	uint64_t cpu = dh_tracee_cpu_time(w->t->t.tid);
	int n, r;

	p->where = DH_AT_POINT;
	p->ev.mask = w->mask;
	p->ev.cpu_ns = cpu - w->t->cpu_ns;
	w->t->cpu_ns = cpu;
	p->ev.regs = w->regs;
	p->hash = dh_regs_hash(&w->regs);
	n = dh_tracee_get_xstate(
		&w->t->t, dh_buf_reserve(&p->xstate, DH_XSTATE_MAX), DH_XSTATE_MAX);
	if (n < 0)
		return n;
	p->xstate.len = (size_t)n;
	p->ev.xstate = (uint8_t *)p->xstate.data;
	p->ev.xstate_len = (uint64_t)n;
	describe_words(w, p);
	save_near_pages(w, &changed);
	r = dh_memhash(&w->t->t, &maps, NULL, &watch, &p->ev.mem_hash);
	dh_maps_release(&maps);
	p->ev.pages.at = (uint8_t *)p->pages.data;
	p->ev.pages.end = (uint8_t *)p->pages.data + p->pages.len;
	p->ev.sums = (uint8_t *)p->sums.data;
	return r;
}

/* What was seen on the way would be old news at the first point that there is. */
static void forget_look(struct walk *w)
{
	if (w->least == STEPS_FIRST)
		dh_map_clear(&w->t->process->pages);
}

static int describe_stop(struct walk *w, struct point *p)
{
	struct dh_regs regs = w->regs;

	forget_look(w);
	if (w->have_insn && (w->insn.flags & DH_INSN_SYSCALL))
		dh_regs_enter_syscall(&regs);
	else if (w->have_insn && w->byte == BREAKPOINT) /* it is seen from behind */
		dh_regs_set_pc(&regs, dh_regs_pc(&regs) + 1);
	p->where = DH_AT_STOP;
	p->hash = dh_regs_hash(&regs);
	return 0;
}

/* Right behind a system call that does not stop: a signal that the call has let through is due here
 * and not a few instructions later, as programs that unblock signals rely on. */
static bool is_due_here(const struct walk *w)
{
	uint8_t code[2];

	return dh_buffer_is_behind(w->t, dh_regs_pc(&w->regs)) ||
	       (dh_tracee_read_some(&w->t->t, dh_regs_pc(&w->regs) - 2, code, 2) == 2 &&
		       code[0] == 0x0f && code[1] == 0x05);
}

/* A change of the signal mask that the buffer makes: it does not stop, but behind it is a known
 * place. A signal that it blocks, though, must strike before. */
static int describe_sigprocmask(struct walk *w, const struct dh_patch *patch, struct point *p)
{
	uint64_t mask = w->mask;
	int r;

	if (dh_buffer_new_mask(w->t, &w->regs, &mask) == 0 && (mask & ~w->mask)) {
		decode(w);
		return w->have_insn && !(w->insn.flags & NEVER) ? describe(w, p) : -ENOTSUP;
	}
	forget_look(w);
	p->where = DH_AT_BOUNDARY;
	r = dh_buffer_sigprocmask(w->r, w->t, patch, &w->regs, w->mask);
	w->mask = mask;
	return r;
}

/* A call that leads into the buffer stops in a replay, which has no record for it: what was
 * recorded so far is all used up there.  1: the point is there; 0: there is no such call; -errno.
 */
static int describe_buffered(struct walk *w, struct point *p)
{
	const struct dh_patch *patch = dh_buffer_patch_at(w->t, dh_regs_pc(&w->regs));
	struct dh_regs regs = w->regs;
	int r;

	if (!patch)
		return 0;
	if (patch->form == DH_PATCH_NUMBER && patch->constant == SYS_rt_sigprocmask) {
		r = describe_sigprocmask(w, patch, p);
		return r < 0 ? r : 1;
	}
	forget_look(w);
	dh_patch_enter(patch, &regs);
	p->where = DH_AT_STOP;
	p->hash = dh_regs_hash(&regs);
	return 1;
}

static int walk_to_point(struct walk *w, struct point *p)
{
	for (int steps = 0; steps < w->least + STEPS_MAX; steps++) {
		int r = describe_buffered(w, p);

		if (r != 0)
			return r < 0 ? r : 0;
		decode(w);
		if (natural_stop(w))
			return describe_stop(w, p);
		if (steps == 0 && is_due_here(w) && usable(w, STEPS_ANY))
			return describe(w, p);
		if (steps == STEPS_MIN && look_before(w) < 0)
			return -ESRCH;
		if (steps >= w->least && usable(w, steps - w->least))
			return describe(w, p);
		note_accesses(w);
		r = step(w);
		if (r < 0)
			return r;
		if (r == 0) {
			w->have_insn = false;
			return describe_stop(w, p);
		}
	}
	return -ENOTSUP;
}

int dh_point_find(struct recorder *r, struct task *t, struct point *ret)
{
	struct walk w = {.r = r,
		.t = t,
		.all_state = r->opt->max_size || r->gate || r->opt->calls,
		.least = STEPS_MIN};
	int error;

	error = dh_tracee_get_regs(&t->t, &w.regs);
	if (error == 0)
		error = dh_tracee_get_sigmask(&t->t, &w.mask);
	if (error < 0)
		return error;
	dh_tracee_set_sigmask(&t->t, WALK_MASK);
	error = walk_to_point(&w, ret);
	dh_tracee_set_sigmask(&t->t, w.mask);
	return error;
}
