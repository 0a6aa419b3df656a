/* The timeline of a finding: the failing schedule is run once more with every point logged, and
 * told in lines of source. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "fuzz/interleave.h"
#include "fuzz/internal.h"
#include "fuzz/symbols.h"

#define MAX_LINES 40

/* "%s" in words is the object. */
static const struct {
	enum dh_step_kind kind;
	const char *words, *object; /* object: what it is called without a name */
} ops[DH_OP_COUNT] = {
	[DH_OP_NONE] = {DH_STEP_ACCESS, "goes on", NULL},
	[DH_OP_START] = {DH_STEP_CREATE, "starts", NULL},
	[DH_OP_EXIT] = {DH_STEP_EXIT, "ends", NULL},
	[DH_OP_CREATE] = {DH_STEP_CREATE, "create a thread", NULL},
	[DH_OP_JOIN] = {DH_STEP_WAIT, "join", NULL},
	[DH_OP_LOCK] = {DH_STEP_LOCK, "lock %s", "mutex"},
	[DH_OP_TRYLOCK] = {DH_STEP_LOCK, "try to lock %s", "mutex"},
	[DH_OP_UNLOCK] = {DH_STEP_UNLOCK, "unlock %s", "lock"},
	[DH_OP_RDLOCK] = {DH_STEP_LOCK, "lock %s to read", "rwlock"},
	[DH_OP_WRLOCK] = {DH_STEP_LOCK, "lock %s to write", "rwlock"},
	[DH_OP_COND_WAIT] = {DH_STEP_WAIT, "wait on %s", "condition"},
	[DH_OP_COND_WAKE] = {DH_STEP_WAKE, "woken from %s", "condition"},
	[DH_OP_COND_SIGNAL] = {DH_STEP_SIGNAL, "signal %s", "condition"},
	[DH_OP_COND_BROADCAST] = {DH_STEP_SIGNAL, "broadcast %s", "condition"},
	[DH_OP_SEM_WAIT] = {DH_STEP_WAIT, "wait for %s", "semaphore"},
	[DH_OP_SEM_POST] = {DH_STEP_SIGNAL, "post %s", "semaphore"},
	[DH_OP_BARRIER] = {DH_STEP_WAIT, "wait at %s", "barrier"},
	[DH_OP_ONCE] = {DH_STEP_LOCK, "once %s", "control"},
	[DH_OP_ATOMIC] = {DH_STEP_ACCESS, "atomic access of %s", NULL},
	[DH_OP_FENCE] = {DH_STEP_ACCESS, "fence", NULL},
	[DH_OP_ACCESS] = {DH_STEP_ACCESS, "access %s", NULL},
	[DH_OP_YIELD] = {DH_STEP_WAIT, "yield", NULL},
	[DH_OP_SLEEP] = {DH_STEP_WAIT, "sleep", NULL},
	[DH_OP_TIME] = {DH_STEP_SYSCALL, "ask for the time", NULL},
	[DH_OP_IO] = {DH_STEP_SYSCALL, "input or output", NULL},
	[DH_OP_OUTSIDE] = {DH_STEP_SYSCALL, "comes back from a system call", NULL},
	[DH_OP_SIGNAL] = {DH_STEP_SIGNAL, "signal", NULL},
	[DH_OP_CANCEL] = {DH_STEP_SIGNAL, "cancel", NULL},
	[DH_OP_FORK] = {DH_STEP_CREATE, "fork", NULL},
	[DH_OP_BUDGET] = {DH_STEP_ACCESS, "runs on", NULL},
	[DH_OP_USER] = {DH_STEP_LOCK, "annotated %s", "lock"},
};

struct teller {
	struct dh_campaign *c;
	const struct dh_sched_step *log;
	struct dh_finding *f;
};

const char *dh_object_name(
	struct dh_campaign *c, enum dh_sched_op op, uint32_t object, uint64_t address)
{
	const char *name = dh_symbols_object(c->sym, address);
	const char *what = op < DH_OP_COUNT && ops[op].object ? ops[op].object : "memory";
	char text[64];

	if (name)
		return name;
	if (object)
		snprintf(text, sizeof(text), "%s %u", what, object);
	else
		snprintf(text, sizeof(text), "%s", what);
	return dh_arena_strdup(&c->arena, text);
}

static bool alike(void *arg, size_t i, size_t j)
{
	const struct dh_sched_step *a = &((struct teller *)arg)->log[i];
	const struct dh_sched_step *b = &((struct teller *)arg)->log[j];

	return a->op == b->op && a->pc == b->pc && a->object == b->object;
}

/* The side of the finding that stands at this pc, or -1. */
static int site_at(const struct teller *t, const struct dh_frame *at)
{
	for (size_t i = 0; i < t->f->n_sites; i++) {
		const struct dh_frame *s = &t->f->sites[i].at;

		if (s->line && at->line == s->line && s->file && at->file &&
			strcmp(s->file, at->file) == 0)
			return (int)i;
	}
	return -1;
}

static void add_access(
	const struct teller *t, const struct dh_sched_step *s, int site, struct dh_buf *label)
{
	const char *name = dh_symbols_variable(t->c->sym, s->address);
	const struct dh_access *a = site >= 0 ? &t->f->sites[site].access : NULL;

	if (a && a->kind != DH_ACCESS_NONE)
		dh_buf_addf(label, "%s %u ", dh_access_kind_name(a->kind), a->size);
	else
		dh_buf_adds(label, s->op == DH_OP_ATOMIC ? "atomic " : "access ");
	dh_buf_adds(label, name ? name : t->f->variable ? t->f->variable : "memory");
}

/* A thread that waits no longer says where its object is; an earlier entry does. */
static uint64_t address_of(const struct teller *t, const struct dh_sched_step *s)
{
	for (const struct dh_sched_step *e = t->log; !s->address && s->object && e < s; e++) {
		if (e->object == s->object && e->address)
			return e->address;
	}
	return s->address;
}

static void add_words(
	const struct teller *t, const struct dh_sched_step *s, int site, struct dh_buf *label)
{
	enum dh_sched_op op = s->op < DH_OP_COUNT ? s->op : DH_OP_NONE;
	const char *words = ops[op].words, *hole = strstr(words, "%s");

	if (op == DH_OP_ACCESS || op == DH_OP_ATOMIC) {
		add_access(t, s, site, label);
	} else if (hole) {
		dh_buf_add(label, words, (size_t)(hole - words));
		dh_buf_adds(label, dh_object_name(t->c, op, s->object, address_of(t, s)));
		dh_buf_adds(label, hole + 2);
	} else {
		dh_buf_adds(label, words);
	}
}

static void tell_gap(const struct teller *t, const struct dh_moment *m)
{
	char label[48];
	struct dh_step step = {.lane = dh_symbols_thread(t->c->sym, t->log[m->point].thread),
		.kind = DH_STEP_ACCESS,
		.label = label,
		.site = -1};

	snprintf(label, sizeof(label), "... %u more steps", m->times);
	dh_finding_add_step(t->f, &step);
}

/* Operations that are tried again until they can be done. */
static bool waits(uint8_t op)
{
	return op == DH_OP_LOCK || op == DH_OP_RDLOCK || op == DH_OP_WRLOCK || op == DH_OP_JOIN ||
	       op == DH_OP_COND_WAIT || op == DH_OP_COND_WAKE || op == DH_OP_SEM_WAIT ||
	       op == DH_OP_BARRIER || op == DH_OP_ONCE || op == DH_OP_EXIT;
}

static void tell(const struct teller *t, const struct dh_moment *m)
{
	const struct dh_sched_step *s = &t->log[m->point];
	const struct dh_frame *at = dh_symbols_at(t->c->sym, s->pc);
	bool access = s->op == DH_OP_ACCESS || s->op == DH_OP_ATOMIC;
	int site = access ? site_at(t, at) : -1;
	DH_BUF struct dh_buf label = DH_BUF_INIT;
	struct dh_step step = {.lane = dh_symbols_thread(t->c->sym, s->thread),
		.kind = s->op < DH_OP_COUNT ? ops[s->op].kind : DH_STEP_ACCESS,
		.file = at->file,
		.line = at->line,
		.site = m->mark == DH_MARK_DOES ? site : -1};

	if (m->mark == DH_MARK_HELD)
		dh_buf_addf(&label, "(stopped before: ");
	add_words(t, s, site, &label);
	if (m->mark == DH_MARK_HELD) {
		dh_buf_addc(&label, ')');
		step.kind = DH_STEP_WAIT;
	} else if (m->mark == DH_MARK_BLOCKS) {
		dh_buf_adds(&label, " (waits)");
		step.kind = DH_STEP_WAIT;
	} else if (m->times > 1 && !waits(s->op)) {
		dh_buf_addf(&label, " (%u times)", m->times);
	}
	step.label = dh_buf_str(&label);
	dh_finding_add_step(t->f, &step);
}

static void tell_failure(const struct teller *t, const struct dh_failing *f)
{
	const struct dh_sched_outcome *o = f->outcome;
	uint64_t pc = dh_symbols_own(t->c->sym, &o->stack);
	struct dh_step step = {.lane = dh_symbols_thread(t->c->sym, o->thread),
		.kind = DH_STEP_FAILURE,
		.label = f->failure.detail,
		.site = -1};

	if (pc) {
		step.file = dh_symbols_at(t->c->sym, pc)->file;
		step.line = dh_symbols_at(t->c->sym, pc)->line;
	}
	dh_finding_add_step(t->f, &step);
}

/* Only the entries before the end of the program proper; those of exit handlers tell nothing. */
int dh_campaign_interleave(struct dh_campaign *c, const struct dh_failing *f,
	const struct dh_sched_target *targets, size_t n_targets, struct dh_finding *finding,
	struct dh_error *err)
{
	struct dh_order order = {.ask = f->ask,
		.targets = targets,
		.n_targets = n_targets,
		.steps = f->replays ? f->steps : NULL,
		.n_steps = f->replays ? f->n_steps : 0};
	struct teller t = {.c = c, .f = finding};
	struct dh_moments m;
	struct dh_block *b;
	size_t n;
	int r;

	order.ask.flags |= DH_ASK_LOG_ALL;
	r = dh_pool_one(c->pool, &order, &c->run, err);
	if (r < 0)
		return r;
	b = dh_server_block(dh_pool_first(c->pool));
	dh_symbols_update(c->sym, b);
	dh_symbols_threads(c->sym, b);
	t.log = dh_block_steps(b, &n);
	dh_interleave(t.log, n, alike, &t, MAX_LINES, &m);
	for (size_t i = 0; i < m.n; i++) {
		if (m.items[i].mark == DH_MARK_GAP)
			tell_gap(&t, &m.items[i]);
		else
			tell(&t, &m.items[i]);
	}
	tell_failure(&t, f);
	dh_moments_release(&m);
	free((void *)t.log);
	return 0;
}
