#include "base/buf.h"
#include "scan/ir/ir.h"

static const char *const binary_words[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
static const char *const compare_words[] = {"==", "!=", "<", "<=", ">", ">="};
static const char *const op_words[] = {[DH_SCAN_READ] = "read",
	[DH_SCAN_WRITE] = "write",
	[DH_SCAN_UPDATE] = "update",
	[DH_SCAN_ASSIGN] = "assign",
	[DH_SCAN_CALLS] = "call",
	[DH_SCAN_RETURN] = "return",
	[DH_SCAN_BRANCH] = "branch",
	[DH_SCAN_SWITCH] = "switch"};
static const char *const order_words[] = {
	"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
static const char *const edge_words[] = {"to", "true", "false", "case", "default", "unwind"};
static const char *const flag_words[] = {
	"atomic", "volatile", "bits", "whole", "asm", "elsewhere", "invoke", "weak"};

static void value(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t id,
	struct dh_buf *out);
static void place(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t id,
	struct dh_buf *out);

static void named(const struct dh_scan_program *p, uint32_t string, const char *kind, uint32_t n,
	struct dh_buf *out)
{
	if (string)
		dh_buf_adds(out, dh_scan_text(p, string));
	else
		dh_buf_addf(out, "%s%u", kind, n);
}

static void param(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t n,
	struct dh_buf *out)
{
	named(p, f && n < f->n_params ? f->params[n].name : 0, "arg", n, out);
}

static void call_text(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t n,
	struct dh_buf *out)
{
	uint32_t callee = f && n < f->n_stmts ? dh_scan_callee(p, &f->stmts[n]) : 0;

	if (!callee) {
		dh_buf_addf(out, "call%u()", n);
		return;
	}
	dh_buf_addf(out, "%s()", dh_scan_text(p, p->symbols[callee].pretty));
}

/* The member of what a pointer points to, or of an object that stands there itself. */
static void field_text(const struct dh_scan_program *p, const struct dh_scan_function *f,
	const struct dh_scan_node *n, struct dh_buf *out)
{
	const struct dh_scan_node *object = &p->nodes[n->a];
	bool direct = object->op == DH_SCAN_GLOBAL || object->op == DH_SCAN_FRAME ||
		      object->op == DH_SCAN_FIELD || object->op == DH_SCAN_INDEX;

	if (direct)
		place(p, f, n->a, out);
	else
		value(p, f, n->a, out);
	dh_buf_addf(out, "%s%s", direct ? "." : "->", dh_scan_text(p, p->fields[n->b].name));
}

static void index_text(const struct dh_scan_program *p, const struct dh_scan_function *f,
	const struct dh_scan_node *n, struct dh_buf *out)
{
	uint8_t op = p->nodes[n->a].op;

	if (op == DH_SCAN_GLOBAL || op == DH_SCAN_FRAME || op == DH_SCAN_FIELD)
		place(p, f, n->a, out);
	else
		value(p, f, n->a, out);
	dh_buf_addc(out, '[');
	value(p, f, n->b, out);
	dh_buf_addc(out, ']');
}

/* What stands at the address: an lvalue. */
static void place(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t id,
	struct dh_buf *out)
{
	const struct dh_scan_node *n = &p->nodes[id];

	switch (n->op) {
	case DH_SCAN_GLOBAL:
		dh_buf_adds(out, dh_scan_text(p, p->symbols[n->a].pretty));
		break;
	case DH_SCAN_FRAME:
		named(p, f && n->a < f->n_locals ? f->locals[n->a].name : 0, "local", n->a, out);
		break;
	case DH_SCAN_FIELD:
		field_text(p, f, n, out);
		break;
	case DH_SCAN_INDEX:
		index_text(p, f, n, out);
		break;
	default:
		dh_buf_addc(out, '*');
		value(p, f, id, out);
	}
}

static void infix(const struct dh_scan_program *p, const struct dh_scan_function *f,
	const struct dh_scan_node *n, const char *word, struct dh_buf *out)
{
	dh_buf_addc(out, '(');
	value(p, f, n->a, out);
	dh_buf_addf(out, " %s ", word);
	value(p, f, n->b, out);
	dh_buf_addc(out, ')');
}

static void value(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t id,
	struct dh_buf *out)
{
	const struct dh_scan_node *n = &p->nodes[id];

	switch (n->op) {
	case DH_SCAN_UNKNOWN:
		dh_buf_addc(out, '?');
		break;
	case DH_SCAN_CONST:
		dh_buf_addf(out, "%lld", (long long)dh_scan_const_value(n));
		break;
	case DH_SCAN_STRING:
		dh_buf_adds(out, "\"...\"");
		break;
	case DH_SCAN_PARAM:
		param(p, f, n->a, out);
		break;
	case DH_SCAN_CALL:
		call_text(p, f, n->a, out);
		break;
	case DH_SCAN_LOAD:
		place(p, f, n->a, out);
		break;
	case DH_SCAN_OFFSET:
		infix(p, f, n, "+", out);
		break;
	case DH_SCAN_BINARY:
		infix(p, f, n, binary_words[n->sub], out);
		break;
	case DH_SCAN_COMPARE:
		infix(p, f, n, compare_words[n->sub], out);
		break;
	case DH_SCAN_THREAD:
		dh_buf_addf(out, "object%u", n->a);
		break;
	default:
		dh_buf_addc(out, '&');
		place(p, f, id, out);
	}
}

void dh_scan_node_text(const struct dh_scan_program *p, const struct dh_scan_function *f,
	uint32_t id, struct dh_buf *out)
{
	value(p, f, id, out);
}

static void operands(const struct dh_scan_program *p, const struct dh_scan_function *f,
	const struct dh_scan_stmt *s, struct dh_buf *out)
{
	switch (s->op) {
	case DH_SCAN_CALLS:
		dh_buf_addc(out, ' ');
		place(p, f, s->addr, out);
		dh_buf_addc(out, '(');
		for (uint32_t i = 0; i < s->n_args; i++) {
			dh_buf_adds(out, i ? ", " : "");
			value(p, f, dh_scan_args(f, s)[i], out);
		}
		dh_buf_addc(out, ')');
		break;
	case DH_SCAN_RETURN:
	case DH_SCAN_BRANCH:
	case DH_SCAN_SWITCH:
		dh_buf_addc(out, ' ');
		value(p, f, s->op == DH_SCAN_RETURN ? s->value : s->addr, out);
		break;
	default:
		dh_buf_addc(out, ' ');
		place(p, f, s->addr, out);
		if (s->op != DH_SCAN_READ) {
			dh_buf_adds(out, " = ");
			value(p, f, s->value, out);
		}
		if (s->size)
			dh_buf_addf(out, " size %u", s->size);
	}
}

static void dump_stmt(const struct dh_scan_program *p, const struct dh_scan_function *f, uint32_t i,
	struct dh_buf *out)
{
	const struct dh_scan_stmt *s = &f->stmts[i];

	dh_buf_addf(out, "\t%u: %s", i, op_words[s->op]);
	operands(p, f, s, out);
	for (unsigned bit = 0; bit < DH_ARRAY_SIZE(flag_words); bit++) {
		if (s->flags >> bit & 1)
			dh_buf_addf(out, " %s", flag_words[bit]);
	}
	if (s->flags & DH_SCAN_ATOMIC)
		dh_buf_addf(out, " %s", order_words[s->order]);
	dh_buf_addf(out, " @%u:%u\n", s->line, s->column);
}

static void dump_block(const struct dh_scan_program *p, const struct dh_scan_function *f,
	uint32_t i, struct dh_buf *out)
{
	const struct dh_scan_block *b = &f->blocks[i];

	dh_buf_addf(out, "  block %u\n", i);
	for (uint32_t s = b->first; s < b->first + b->n; s++)
		dump_stmt(p, f, s, out);
	for (uint32_t e = b->edge; e < b->edge + b->n_edges; e++) {
		dh_buf_addf(out, "\t%s ", edge_words[f->edges[e].kind]);
		if (f->edges[e].kind == DH_SCAN_EDGE_CASE) {
			value(p, f, f->edges[e].value, out);
			dh_buf_addc(out, ' ');
		}
		dh_buf_addf(out, "-> %u\n", f->edges[e].to);
	}
}

void dh_scan_dump_function(
	const struct dh_scan_program *p, const struct dh_scan_function *f, struct dh_buf *out)
{
	dh_buf_addf(out, "function %s(", dh_scan_text(p, p->symbols[f->symbol].pretty));
	for (uint32_t i = 0; i < f->n_params; i++) {
		dh_buf_adds(out, i ? ", " : "");
		param(p, f, i, out);
	}
	dh_buf_addf(out, ") %s:%u\n", dh_scan_text(p, f->file), f->line);
	for (uint32_t i = 0; i < f->n_blocks; i++)
		dump_block(p, f, i, out);
}

void dh_scan_dump(const struct dh_scan_program *p, struct dh_buf *out)
{
	for (uint32_t i = 0; i < p->n_inits; i++) {
		dh_buf_adds(out, "init ");
		place(p, NULL, p->inits[i].addr, out);
		dh_buf_adds(out, " = ");
		value(p, NULL, p->inits[i].value, out);
		dh_buf_addc(out, '\n');
	}
	for (uint32_t i = 0; i < p->n_facts; i++) {
		const struct dh_scan_fact *fact = &p->facts[i];
		uint32_t name =
			fact->field ? p->fields[fact->field].name : p->symbols[fact->symbol].pretty;

		dh_buf_addf(out, "fact %s %s(%s)\n", dh_scan_text(p, name),
			dh_scan_text(p, fact->kind), dh_scan_text(p, fact->text));
	}
	for (uint32_t i = 1; i < p->n_functions; i++)
		dh_scan_dump_function(p, p->functions[i], out);
}
