/* Names and places for people. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "scan/analysis/run.h"
#include "scan/analysis/words.h"

void dh_scan_frame_of(struct dh_scan_run *run, uint32_t fn, uint32_t stmt, struct dh_frame *ret)
{
	const struct dh_scan_function *f = run->p->functions[fn];
	const struct dh_scan_symbol *y = &run->p->symbols[f->symbol];

	*ret = (struct dh_frame){.function = dh_scan_text(run->p, y->pretty ? y->pretty : y->name),
		.file = dh_scan_text(run->p, f->file),
		.line = f->line};
	if (stmt < f->n_stmts) {
		ret->file = dh_scan_text(run->p, dh_scan_stmt_file(f, stmt));
		ret->line = f->stmts[stmt].line;
		ret->column = f->stmts[stmt].column;
	}
}

#define MAX_STACK 24

void dh_scan_stack_of(struct dh_scan_run *run, struct dh_finding *f, uint32_t context, uint32_t fn,
	uint32_t stmt, struct dh_stack *ret)
{
	struct dh_frame *frames = dh_arena_alloc(&f->arena, MAX_STACK * sizeof(*frames));
	size_t n = 0;

	dh_scan_frame_of(run, fn, stmt, &frames[n++]);
	/* Frames of other threads do not belong to it: a thread begins with its own function. */
	for (uint32_t at = context; at && n < MAX_STACK;) {
		const struct dh_scan_context *c = &run->contexts[at];

		if (!c->by || run->contexts[c->by].thread != c->thread)
			break;
		dh_scan_frame_of(run, run->contexts[c->by].fn, c->by_stmt, &frames[n++]);
		at = c->by;
	}
	*ret = (struct dh_stack){frames, n};
}

/* The function with which the thread of the context begins. */
static uint32_t first_function(const struct dh_scan_run *run, uint32_t context)
{
	const struct dh_scan_context *c = &run->contexts[context];

	while (c->by && run->contexts[c->by].thread == c->thread)
		c = &run->contexts[c->by];
	return c->fn;
}

const char *dh_scan_thread_name(
	struct dh_scan_run *run, struct dh_finding *f, uint32_t thread, uint32_t context)
{
	static const char *const words[] = {
		[DH_THREAD_MAIN] = "main thread",
		[DH_THREAD_NORMAL] = "thread",
		[DH_THREAD_ASYNC] = "callback",
		[DH_THREAD_SIGNAL] = "handler",
		[DH_THREAD_ROOT] = "callers of",
	};
	const struct dh_scan_thread *t = &run->threads[thread];
	uint32_t first = t->fn ? t->fn : first_function(run, context);
	const struct dh_scan_symbol *y = &run->p->symbols[run->p->functions[first]->symbol];
	struct dh_buf b = DH_BUF_INIT;
	const char *name;

	if (t->kind == DH_THREAD_MAIN)
		return "main thread";
	dh_buf_addf(
		&b, "%s %s", words[t->kind], dh_scan_text(run->p, y->pretty ? y->pretty : y->name));
	if (t->many && t->kind == DH_THREAD_NORMAL)
		dh_buf_adds(&b, " (several)");
	name = dh_finding_strdup(f, dh_buf_str(&b));
	dh_buf_release(&b);
	return name;
}

/* The symbol at the bottom, in words. */
static void base_text(struct dh_scan_run *run, uint32_t base, struct dh_buf *out)
{
	const struct dh_sym *y = dh_sym_of(&run->syms, base);
	const struct dh_scan_function *f =
		y && y->fn && y->kind != DH_SYM_NAMED ? run->p->functions[y->fn] : NULL;

	if (!y) {
		dh_scan_node_text(run->p, NULL, base, out);
		return;
	}
	switch (y->kind) {
	case DH_SYM_FRAME:
		dh_buf_adds(out, y->at < f->n_locals ? dh_scan_text(run->p, f->locals[y->at].name)
						     : "local");
		return;
	case DH_SYM_PARAM:
		dh_buf_adds(out, y->at < f->n_params ? dh_scan_text(run->p, f->params[y->at].name)
						     : "param");
		return;
	case DH_SYM_OLD:
		base_text(run, run->syms.rows[y->other].node, out);
		return;
	case DH_SYM_OWN:
		dh_scan_var_name(run, y->other, out);
		return;
	case DH_SYM_PHI:
		dh_scan_var_name(run, y->other, out);
		return;
	case DH_SYM_NAMED:
		dh_buf_addf(out, y->fn == DH_NAMED_HIDDEN ? "the library's own %s" : "%s",
			y->fn == DH_NAMED_ONCE ? "once" : dh_scan_text(run->p, y->other));
		return;
	case DH_SYM_SET:
		dh_buf_adds(out, "one of several");
		return;
	case DH_SYM_THREAD:
		f = run->p->functions[run->threads[y->at].fn];
		dh_buf_addf(out, "the end of %s",
			dh_scan_text(run->p, run->p->symbols[f->symbol].pretty
						     ? run->p->symbols[f->symbol].pretty
						     : run->p->symbols[f->symbol].name));
		return;
	default:
		break;
	}
	/* Memory and results: by the call that made them. */
	const struct dh_scan_stmt *s = f && y->at < f->n_stmts ? &f->stmts[y->at] : NULL;
	uint32_t callee = s ? dh_scan_callee(run->p, s) : 0;

	if (y->kind == DH_SYM_HEAP && s)
		dh_buf_addf(out, "memory(%s:%u)",
			dh_path_base(dh_scan_text(run->p, dh_scan_stmt_file(f, y->at))), s->line);
	else if (callee)
		dh_buf_addf(out, "%s()", dh_scan_text(run->p, run->p->symbols[callee].name));
	else
		dh_buf_adds(out, "object");
}

/* The type of the variable or member at the address; 0: not known. */
static uint32_t type_at(struct dh_scan_run *run, uint32_t node)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	const struct dh_sym *y = dh_sym_of(&run->syms, node);

	if (n.op == DH_SCAN_GLOBAL)
		return run->p->symbols[n.a].type;
	if (n.op == DH_SCAN_FIELD)
		return run->p->fields[n.b].type;
	return y && y->kind == DH_SYM_FRAME && y->at < run->p->functions[y->fn]->n_locals
		       ? run->p->functions[y->fn]->locals[y->at].type
		       : 0;
}

/* The struct that begins an object of the type, or 0. */
static uint32_t first_member(const struct dh_scan_program *p, uint32_t type)
{
	for (uint32_t i = 1; i < p->n_fields; i++)
		if (p->fields[i].owner == type && !p->fields[i].offset_bits &&
			p->types[p->fields[i].type].kind == DH_SCAN_TYPE_STRUCT)
			return i;
	return 0;
}

/* Members that begin the object were left out (dh_scan_program.flat): they are named again. */
static void beginnings_text(
	struct dh_scan_run *run, uint32_t object, uint32_t owner, struct dh_buf *out)
{
	uint32_t type = type_at(run, object), path[8], n = 0;

	while (type && type != owner && n < DH_ARRAY_SIZE(path)) {
		path[n] = first_member(run->p, type);
		if (!path[n])
			return;
		type = run->p->fields[path[n++]].type;
	}
	for (uint32_t i = 0; type == owner && i < n; i++)
		dh_buf_addf(out, ".%s", dh_scan_text(run->p, run->p->fields[path[i]].name));
}

static void path_text(struct dh_scan_run *run, uint32_t node, struct dh_buf *out)
{
	struct dh_scan_node n = *dh_scan_node(run->p, node);
	int64_t v;

	switch (n.op) {
	case DH_SCAN_FIELD: {
		struct dh_scan_node a = *dh_scan_node(run->p, n.a);
		const struct dh_sym *y = dh_sym_of(&run->syms, n.a);
		bool arrow = a.op == DH_SCAN_LOAD || (y && y->kind != DH_SYM_FRAME);

		path_text(run, a.op == DH_SCAN_LOAD ? a.a : n.a, out);
		if (!arrow)
			beginnings_text(run, n.a, run->p->fields[n.b].owner, out);
		dh_buf_addf(out, "%s%s", arrow ? "->" : ".",
			dh_scan_text(run->p, run->p->fields[n.b].name));
		return;
	}
	case DH_SCAN_INDEX:
		path_text(run,
			dh_scan_node(run->p, n.a)->op == DH_SCAN_LOAD ? dh_scan_node(run->p, n.a)->a
								      : n.a,
			out);
		if (dh_scan_is_const(run->p, n.b, &v))
			dh_buf_addf(out, "[%lld]", (long long)v);
		else
			dh_buf_adds(out, "[...]");
		return;
	case DH_SCAN_OFFSET:
		path_text(run, n.a, out);
		return;
	case DH_SCAN_LOAD:
		dh_buf_addc(out, '*');
		path_text(run, n.a, out);
		return;
	case DH_SCAN_GLOBAL: {
		const struct dh_scan_symbol *y = &run->p->symbols[n.a];

		dh_buf_adds(out, dh_scan_text(run->p, y->pretty ? y->pretty : y->name));
		return;
	}
	default:
		base_text(run, node, out);
	}
}

const char *dh_scan_var_name(struct dh_scan_run *run, uint32_t addr, struct dh_buf *out)
{
	if (addr)
		path_text(run, addr, out);
	return dh_buf_str(out);
}

void dh_scan_set_text(struct dh_scan_run *run, struct dh_finding *f, uint32_t locks,
	const char ***ret, size_t *ret_n)
{
	size_t n;
	const uint32_t *items = dh_lockset_locks(run->sets, locks, &n);
	const char **list = dh_arena_alloc(&f->arena, (n + 1) * sizeof(*list));

	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		struct dh_buf b = DH_BUF_INIT;
		bool known = false;

		dh_scan_var_name(run, run->locks[items[i]].node, &b);
		if (run->locks[items[i]].read)
			dh_buf_adds(&b, " (read)");
		/* Several of one kind, or one that was taken several times. */
		for (size_t j = 0; j < k; j++)
			known |= !strcmp(list[j], dh_buf_str(&b));
		if (!known)
			list[k++] = dh_finding_strdup(f, dh_buf_str(&b));
		dh_buf_release(&b);
	}
	*ret = list;
	*ret_n = k;
}
