#include "fuzz/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/map.h"
#include "fuzz/block.h"
#include "sym/sym.h"
#include "sym/var.h"

#define MAX_SOURCE ((size_t)16 << 20)

struct dh_symbols {
	struct dh_arena arena;
	struct dh_sym *sym;
	const char *path;
	struct dh_sched_module *modules;
	size_t n_modules;
	struct dh_sched_thread *threads;
	size_t n_threads;
	struct dh_map variables; /* address -> name in the arena, or NULL: asked before */
	struct dh_map sources;   /* address of the file's name -> text in the arena, or NULL */
};

struct dh_symbols *dh_symbols_new(const char *path)
{
	struct dh_symbols *s = dh_new(struct dh_symbols);

	s->sym = dh_sym_new();
	s->path = dh_arena_strdup(&s->arena, path);
	return s;
}

void dh_symbols_free(struct dh_symbols *s)
{
	if (!s)
		return;
	dh_map_release(&s->variables);
	dh_map_release(&s->sources);
	dh_sym_free(s->sym);
	free(s->modules);
	free(s->threads);
	dh_arena_release(&s->arena);
	free(s);
}

static bool same_modules(const struct dh_symbols *s, const struct dh_sched_module *m, size_t n)
{
	return n == s->n_modules && (!n || memcmp(m, s->modules, n * sizeof(*m)) == 0);
}

void dh_symbols_update(struct dh_symbols *s, const struct dh_block *b)
{
	size_t n, used = 0;
	struct dh_sched_module *m = dh_block_modules(b, &n);
	DH_FREE struct dh_sym_mapping *map = dh_new_n(struct dh_sym_mapping, n + 1);

	if (same_modules(s, m, n)) {
		free(m);
		return;
	}
	free(s->modules);
	s->modules = m;
	s->n_modules = n;
	for (size_t i = 0; i < n; i++) {
		if (m[i].low < m[i].high)
			map[used++] = (struct dh_sym_mapping){.start = m[i].low,
				.end = m[i].high,
				.path = m[i].path[0] ? m[i].path : s->path};
	}
	dh_sym_set_mappings(s->sym, map, used);
	dh_map_clear(&s->variables);
}

void dh_symbols_threads(struct dh_symbols *s, const struct dh_block *b)
{
	free(s->threads);
	s->threads = dh_block_threads(b, &s->n_threads);
}

const struct dh_frame *dh_symbols_at(struct dh_symbols *s, uint64_t pc)
{
	return dh_sym_frames(s->sym, pc - 1).frames;
}

/* Where a thread comes from in the C library is the same for all, and nobody's concern. */
static bool is_root(const struct dh_frame *f)
{
	static const char *const roots[] = {"start_thread", "__libc_start_call_main",
		"__libc_start_main", "__libc_start_main_impl", "_start", "clone3", "clone"};

	for (size_t i = 0; f->function && i < DH_ARRAY_SIZE(roots); i++) {
		if (strncmp(f->function, roots[i], strlen(roots[i])) == 0)
			return true;
	}
	return false;
}

struct dh_stack dh_symbols_stack(
	struct dh_symbols *s, const struct dh_sched_stack *stack, struct dh_arena *arena)
{
	struct dh_frame *frames = NULL;
	size_t n = 0, cap = 0;
	struct dh_stack ret = {0};

	for (uint32_t i = 0; i < stack->count; i++) {
		struct dh_stack here = dh_sym_frames(s->sym, stack->pc[i] - 1);

		if (n && is_root(&here.frames[0]))
			break;
		for (size_t k = 0; k < here.n; k++) {
			DH_GROW(frames, n, cap);
			frames[n++] = here.frames[k];
		}
	}
	if (n) {
		ret.frames = dh_arena_memdup(arena, frames, n * sizeof(*frames));
		ret.n = n;
	}
	free(frames);
	return ret;
}

static bool is_system(const char *path)
{
	static const char *const names[] = {
		"libc.so", "libc-", "ld-linux", "ld-", "libpthread", "libdeadheat-", "linux-vdso"};
	const char *base = dh_path_base(path);

	for (size_t i = 0; i < DH_ARRAY_SIZE(names); i++) {
		if (strncmp(base, names[i], strlen(names[i])) == 0)
			return true;
	}
	return false;
}

uint64_t dh_symbols_own(const struct dh_symbols *s, const struct dh_sched_stack *stack)
{
	for (uint32_t i = 0; i < stack->count; i++) {
		uint32_t module;
		uint64_t offset;

		if (dh_symbols_place(s, stack->pc[i], &module, &offset) == 0 &&
			!is_system(s->modules[module].path))
			return stack->pc[i];
	}
	return 0;
}

const char *dh_symbols_variable(struct dh_symbols *s, uint64_t address)
{
	struct dh_sym_variable v;
	const char *name = NULL;
	uint64_t known;

	if (!address)
		return NULL;
	if (dh_map_get(&s->variables, address, &known))
		return (const char *)(uintptr_t)known;
	if (dh_sym_variable(s->sym, address, &v) == 0)
		name = v.name;
	dh_map_set(&s->variables, address, (uint64_t)(uintptr_t)name);
	return name;
}

const char *dh_symbols_object(struct dh_symbols *s, uint64_t address)
{
	const char *name = dh_symbols_variable(s, address);
	const char *inner = name ? strstr(name, ".__") : NULL;

	return inner ? dh_arena_strndup(&s->arena, name, (size_t)(inner - name)) : name;
}

static const struct dh_sched_thread *find_thread(const struct dh_symbols *s, uint32_t id)
{
	for (size_t i = 0; i < s->n_threads; i++) {
		if (s->threads[i].id == id)
			return &s->threads[i];
	}
	return NULL;
}

const char *dh_symbols_thread(struct dh_symbols *s, uint32_t id)
{
	const struct dh_sched_thread *t = find_thread(s, id);
	struct dh_sym_function f = {0};
	char text[320];

	if (id == 0)
		return "main";
	if (t && t->start)
		dh_sym_function(s->sym, t->start, &f);
	if (f.name)
		snprintf(text, sizeof(text), "thread %u (%s)", id, f.name);
	else if (t && t->name[0])
		snprintf(text, sizeof(text), "thread %u (%s)", id, t->name);
	else
		snprintf(text, sizeof(text), "thread %u", id);
	return dh_arena_strdup(&s->arena, text);
}

struct dh_stack dh_symbols_created(struct dh_symbols *s, uint32_t id, struct dh_arena *arena)
{
	const struct dh_sched_thread *t = find_thread(s, id);

	return t ? dh_symbols_stack(s, &t->created, arena) : (struct dh_stack){0};
}

static const char *line_of(const char *text, uint32_t line, size_t *ret_len)
{
	while (--line) {
		text = strchr(text, '\n');
		if (!text)
			return NULL;
		text++;
	}
	text += strspn(text, " \t");
	*ret_len = strcspn(text, "\r\n");
	return text;
}

const char *dh_symbols_source(struct dh_symbols *s, const struct dh_frame *f)
{
	const char *text, *line;
	uint64_t known;
	size_t n = 0;

	if (!f->file || !f->line)
		return NULL;
	if (!dh_map_get(&s->sources, (uint64_t)(uintptr_t)f->file, &known)) {
		DH_BUF struct dh_buf b = DH_BUF_INIT;

		known = 0;
		if (dh_read_file(f->file, MAX_SOURCE, &b, NULL) == 0)
			known = (uint64_t)(uintptr_t)dh_arena_strdup(&s->arena, dh_buf_str(&b));
		dh_map_set(&s->sources, (uint64_t)(uintptr_t)f->file, known);
	}
	text = (const char *)(uintptr_t)known;
	line = text ? line_of(text, f->line, &n) : NULL;
	return line && n ? dh_arena_strndup(&s->arena, line, n) : NULL;
}

int dh_symbols_place(
	const struct dh_symbols *s, uint64_t pc, uint32_t *ret_module, uint64_t *ret_offset)
{
	for (size_t i = 0; i < s->n_modules; i++) {
		if (pc < s->modules[i].low || pc >= s->modules[i].high)
			continue;
		*ret_module = (uint32_t)i;
		*ret_offset = pc - s->modules[i].base;
		return 0;
	}
	return -ENOENT;
}

uint64_t dh_symbols_pc(const struct dh_symbols *s, uint32_t module, uint64_t offset)
{
	return module < s->n_modules && s->modules[module].high ? s->modules[module].base + offset
								: 0;
}

const char *dh_symbols_module(const struct dh_symbols *s, uint32_t module)
{
	return module < s->n_modules ? s->modules[module].path : NULL;
}

size_t dh_symbols_n_modules(const struct dh_symbols *s)
{
	return s->n_modules;
}

struct dh_sym *dh_symbols_session(struct dh_symbols *s)
{
	return s->sym;
}
