#include "scan/ir/build.h"

#include <stdlib.h>

#include "base/alloc.h"

struct dh_scan_build {
	struct dh_scan_program *program;
	struct dh_scan_function
		f; /* counts; its arrays grow here and move to the arena at the end */
	uint32_t cap_params, cap_locals, cap_blocks, cap_stmts, cap_edges, cap_args, cap_elsewhere;
	uint32_t block; /* the current one */
	uint32_t line, column, file;
};

uint32_t dh_scan_named_type(struct dh_scan_program *p, const char *name, uint64_t size)
{
	return dh_scan_type_add(p,
		&(struct dh_scan_type){
			.kind = DH_SCAN_TYPE_STRUCT, .name = dh_scan_str(p, name), .size = size});
}

uint32_t dh_scan_named_field(
	struct dh_scan_program *p, const char *owner, const char *name, uint32_t offset)
{
	return dh_scan_field_add(p, &(struct dh_scan_field){
					    .owner = dh_scan_named_type(p, owner, 0),
					    .name = dh_scan_str(p, name),
					    .offset_bits = offset * 8,
				    });
}

uint32_t dh_scan_variable(struct dh_scan_program *p, const char *name)
{
	uint32_t string = dh_scan_str(p, name);

	return dh_scan_symbol_add(
		p, &(struct dh_scan_symbol){
			   .name = string, .pretty = string, .flags = DH_SCAN_SYM_DEFINED});
}

uint32_t dh_scan_function_symbol(struct dh_scan_program *p, const char *name)
{
	uint32_t string = dh_scan_str(p, name);

	return dh_scan_symbol_add(
		p, &(struct dh_scan_symbol){
			   .name = string, .pretty = string, .flags = DH_SCAN_SYM_FUNCTION});
}

struct dh_scan_build *dh_scan_build_new(
	struct dh_scan_program *p, uint32_t symbol, const char *file, uint32_t line)
{
	struct dh_scan_build *b = dh_new(struct dh_scan_build);

	b->program = p;
	b->f.symbol = symbol;
	b->f.file = dh_scan_str(p, file);
	b->f.line = b->line = line;
	b->file = b->f.file;
	dh_scan_build_block(b);
	return b;
}

void dh_scan_build_cancel(struct dh_scan_build *b)
{
	if (!b)
		return;
	free(b->f.params);
	free(b->f.locals);
	free(b->f.blocks);
	free(b->f.stmts);
	free(b->f.edges);
	free(b->f.args);
	free(b->f.elsewhere);
	free(b);
}

#define TO_ARENA(p, f, name)                                                                       \
	((f)->name = (f)->n_##name ? dh_arena_memdup(&(p)->arena, (f)->name,                       \
					     (f)->n_##name * sizeof(*(f)->name))                   \
				   : NULL)

uint32_t dh_scan_build_end(struct dh_scan_build *b)
{
	struct dh_scan_program *p = b->program;
	struct dh_scan_symbol *s = &p->symbols[b->f.symbol];
	struct dh_scan_function *f;

	if (!s->function) {
		f = dh_arena_memdup(&p->arena, &b->f, sizeof(b->f));
		TO_ARENA(p, f, params);
		TO_ARENA(p, f, locals);
		TO_ARENA(p, f, blocks);
		TO_ARENA(p, f, stmts);
		TO_ARENA(p, f, edges);
		TO_ARENA(p, f, args);
		TO_ARENA(p, f, elsewhere);
		DH_GROW(p->functions, p->n_functions, p->cap_functions);
		p->functions[p->n_functions] = f;
		s->function = p->n_functions++;
		s->flags |= DH_SCAN_SYM_DEFINED;
	}
	dh_scan_build_cancel(b);
	return s->function;
}

struct dh_scan_function *dh_scan_build_function(struct dh_scan_build *b)
{
	return &b->f;
}

uint32_t dh_scan_build_param(struct dh_scan_build *b, const char *name, uint32_t type)
{
	DH_GROW(b->f.params, b->f.n_params, b->cap_params);
	b->f.params[b->f.n_params] =
		(struct dh_scan_param){.name = dh_scan_str(b->program, name), .type = type};
	return b->f.n_params++;
}

uint32_t dh_scan_build_local(
	struct dh_scan_build *b, const char *name, uint32_t type, uint32_t flags)
{
	DH_GROW(b->f.locals, b->f.n_locals, b->cap_locals);
	b->f.locals[b->f.n_locals] = (struct dh_scan_local){
		.name = dh_scan_str(b->program, name), .type = type, .flags = flags};
	return b->f.n_locals++;
}

struct dh_scan_local *dh_scan_build_local_at(struct dh_scan_build *b, uint32_t local)
{
	return &b->f.locals[local];
}

uint32_t dh_scan_build_block(struct dh_scan_build *b)
{
	DH_GROW(b->f.blocks, b->f.n_blocks, b->cap_blocks);
	b->f.blocks[b->f.n_blocks] =
		(struct dh_scan_block){.first = b->f.n_stmts, .edge = b->f.n_edges};
	return b->f.n_blocks++;
}

void dh_scan_build_select(struct dh_scan_build *b, uint32_t block)
{
	b->block = block;
	b->f.blocks[block] = (struct dh_scan_block){.first = b->f.n_stmts, .edge = b->f.n_edges};
}

void dh_scan_build_at(struct dh_scan_build *b, uint32_t line, uint32_t column, const char *file)
{
	b->line = line;
	b->column = column;
	b->file = file ? dh_scan_str(b->program, file) : b->f.file;
}

static void note_file(struct dh_scan_build *b, struct dh_scan_stmt *s)
{
	if (b->file == b->f.file)
		return;
	s->flags |= DH_SCAN_ELSEWHERE;
	DH_GROW(b->f.elsewhere, b->f.n_elsewhere, b->cap_elsewhere);
	b->f.elsewhere[b->f.n_elsewhere++] = (struct dh_scan_elsewhere){b->f.n_stmts, b->file};
}

static uint32_t add(struct dh_scan_build *b, struct dh_scan_stmt s)
{
	s.line = b->line;
	s.column = (uint16_t)DH_MIN(b->column, (uint32_t)UINT16_MAX);
	note_file(b, &s);
	DH_GROW(b->f.stmts, b->f.n_stmts, b->cap_stmts);
	b->f.stmts[b->f.n_stmts] = s;
	b->f.blocks[b->block].n++;
	return b->f.n_stmts++;
}

uint32_t dh_scan_build_access(
	struct dh_scan_build *b, enum dh_scan_op op, uint32_t addr, uint32_t value, uint32_t size)
{
	return add(b, (struct dh_scan_stmt){
			      .op = (uint8_t)op, .addr = addr, .value = value, .size = size});
}

uint32_t dh_scan_build_assign(struct dh_scan_build *b, uint32_t addr, uint32_t value)
{
	return add(b, (struct dh_scan_stmt){.op = DH_SCAN_ASSIGN, .addr = addr, .value = value});
}

uint32_t dh_scan_build_call(
	struct dh_scan_build *b, uint32_t callee, const uint32_t *args, size_t n)
{
	uint32_t first = b->f.n_args;

	n = DH_MIN(n, (size_t)UINT16_MAX);
	for (size_t i = 0; i < n; i++) {
		DH_GROW(b->f.args, b->f.n_args, b->cap_args);
		b->f.args[b->f.n_args++] = args[i];
	}
	return add(b, (struct dh_scan_stmt){.op = DH_SCAN_CALLS,
			      .addr = callee,
			      .value = first,
			      .n_args = (uint16_t)n});
}

uint32_t dh_scan_build_return(struct dh_scan_build *b, uint32_t value)
{
	return add(b, (struct dh_scan_stmt){.op = DH_SCAN_RETURN, .value = value});
}

uint32_t dh_scan_build_branch(
	struct dh_scan_build *b, uint32_t condition, uint32_t yes, uint32_t no)
{
	uint32_t s = add(b, (struct dh_scan_stmt){.op = DH_SCAN_BRANCH, .addr = condition});

	dh_scan_build_edge(b, DH_SCAN_EDGE_TRUE, yes, 0);
	dh_scan_build_edge(b, DH_SCAN_EDGE_FALSE, no, 0);
	return s;
}

uint32_t dh_scan_build_switch(struct dh_scan_build *b, uint32_t value)
{
	return add(b, (struct dh_scan_stmt){.op = DH_SCAN_SWITCH, .addr = value});
}

void dh_scan_build_edge(
	struct dh_scan_build *b, enum dh_scan_edge_kind kind, uint32_t to, uint32_t value)
{
	DH_GROW(b->f.edges, b->f.n_edges, b->cap_edges);
	b->f.edges[b->f.n_edges++] = (struct dh_scan_edge){to, (uint32_t)kind, value};
	b->f.blocks[b->block].n_edges++;
}

void dh_scan_build_jump(struct dh_scan_build *b, uint32_t to)
{
	dh_scan_build_edge(b, DH_SCAN_EDGE_JUMP, to, 0);
}

struct dh_scan_stmt *dh_scan_build_stmt(struct dh_scan_build *b, uint32_t stmt)
{
	return &b->f.stmts[stmt];
}
