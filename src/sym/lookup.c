/* From addresses to functions and lines. */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sym/die.h"
#include "sym/session.h"

#define MAX_INLINED 64

/* Address ranges of compilation units, for modules without an index of their own. */
struct unit_range {
	uint64_t start, end; /* link-time */
	Dwarf_Die die;
};

struct dh_sym_units {
	struct unit_range *all; /* by start */
	size_t n, cap;
	uint64_t bias;
};

void dh_sym_units_free(struct dh_sym_units *u)
{
	if (u)
		free(u->all);
	free(u);
}

static int by_start(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void index_units(struct dh_sym_entry *e)
{
	struct dh_sym_units *u = e->units = dh_new(struct dh_sym_units);
	Dwarf_Die *die = NULL;
	Dwarf_Addr bias, base, start, end;

	while ((die = dwfl_module_nextcu(e->dwfl, die, &bias))) {
		ptrdiff_t at = 0;

		u->bias = bias;
		while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
			DH_GROW(u->all, u->n, u->cap);
			u->all[u->n++] =
				(struct unit_range){.start = start, .end = end, .die = *die};
		}
	}
	if (u->n)
		qsort(u->all, u->n, sizeof(*u->all), by_start);
}

bool dh_sym_unit_at(struct dh_sym_entry *e, uint64_t addr, Dwarf_Die *ret, uint64_t *ret_bias)
{
	Dwarf_Addr bias;
	Dwarf_Die *die = dwfl_module_addrdie(e->dwfl, addr, &bias);
	size_t low = 0, high;

	if (die) {
		*ret = *die;
		*ret_bias = bias;
		return true;
	}
	if (!e->units)
		index_units(e);
	addr -= e->units->bias;
	for (high = e->units->n; low < high;) {
		size_t mid = (low + high) / 2;

		if (addr >= e->units->all[mid].start)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || addr >= e->units->all[low - 1].end)
		return false;
	*ret = e->units->all[low - 1].die;
	*ret_bias = e->units->bias;
	return true;
}

const char *dh_sym_symbol_at(
	struct dh_sym_entry *e, uint64_t addr, bool code, uint64_t *ret_start, uint64_t *ret_size)
{
	GElf_Off offset;
	GElf_Sym sym;
	const char *name = dwfl_module_addrinfo(e->dwfl, addr, &offset, &sym, NULL, NULL, NULL);
	int type = name ? GELF_ST_TYPE(sym.st_info) : STT_SECTION;
	bool fits = type == STT_NOTYPE ||
		    (code ? type == STT_FUNC || type == STT_GNU_IFUNC : type == STT_OBJECT);

	if (!fits || !*name || (sym.st_size && offset >= sym.st_size))
		return NULL;
	*ret_start = addr - offset;
	*ret_size = sym.st_size;
	return name;
}

/* Without its version: "name@@VERSION". */
static const char *symbol_name(struct dh_sym *s, struct dh_sym_entry *e, uint64_t addr)
{
	uint64_t start, size;
	const char *name = dh_sym_symbol_at(e, addr, true, &start, &size);
	DH_FREE char *bare = NULL;

	if (!name)
		return NULL;
	bare = dh_strndup(name, strcspn(name, "@"));
	return dh_sym_text(s, *bare ? bare : name);
}

struct frames {
	struct dh_sym *s;
	struct dh_frame frame[MAX_INLINED];
	size_t n;
	struct dh_frame next; /* the line of the frame to come */
};

static void push(struct frames *f, const char *function, bool inlined)
{
	if (f->n == DH_ARRAY_SIZE(f->frame))
		return;
	f->next.function = function;
	f->next.inlined = inlined;
	f->frame[f->n++] = f->next;
}

static void start_line(struct frames *f, Dwarf_Die *unit, uint64_t addr)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, addr);
	int number = 0, column = 0;

	if (!line || dwarf_lineno(line, &number) != 0)
		return;
	dwarf_linecol(line, &column);
	f->next.file = dh_sym_text(f->s, dwarf_linesrc(line, NULL, NULL));
	f->next.line = (uint32_t)DH_MAX(number, 0);
	f->next.column = (uint32_t)DH_MAX(column, 0);
}

/* The line of the call that was inlined as die. */
static void caller_line(struct frames *f, Dwarf_Die *die)
{
	Dwarf_Word line = 0, column = 0;

	f->next.file = dh_sym_text(f->s, dh_die_file(die, DW_AT_call_file));
	dh_die_number(die, DW_AT_call_line, &line);
	dh_die_number(die, DW_AT_call_column, &column);
	f->next.line = line > UINT32_MAX ? 0 : (uint32_t)line;
	f->next.column = column > UINT32_MAX ? 0 : (uint32_t)column;
}

/* The entry below parent whose code holds addr, of a kind that can hold calls. */
static bool child_at(Dwarf_Die *parent, uint64_t addr, Dwarf_Die *ret)
{
	if (dwarf_child(parent, ret) != 0)
		return false;
	do {
		switch (dwarf_tag(ret)) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (dwarf_haspc(ret, addr) == 1)
				return true;
			break;
		default:
			break;
		}
	} while (dh_die_next(ret));
	return false;
}

/* The same, also inside namespaces and classes, which have no code of their own. */
static bool function_at(Dwarf_Die *parent, uint64_t addr, int depth, Dwarf_Die *ret)
{
	Dwarf_Die die;

	if (child_at(parent, addr, ret))
		return true;
	if (depth == DH_DIE_MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return false;
	do {
		int tag = dwarf_tag(&die);

		if ((tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
			    tag == DW_TAG_class_type) &&
			function_at(&die, addr, depth + 1, ret))
			return true;
	} while (dh_die_next(&die));
	return false;
}

/* The function and the calls inlined into it, outermost first.  Their number, 0: none. */
static int calls_at(Dwarf_Die *unit, uint64_t addr, Dwarf_Die calls[MAX_INLINED])
{
	Dwarf_Die at, below;
	int n = 0;

	if (!function_at(unit, addr, 0, &at))
		return 0;
	for (int depth = 0; depth < 2 * MAX_INLINED; depth++) {
		if (dwarf_tag(&at) == DW_TAG_subprogram)
			n = 0; /* also of a function inside a function */
		if (dwarf_tag(&at) == DW_TAG_subprogram ||
			(n && n < MAX_INLINED && dwarf_tag(&at) == DW_TAG_inlined_subroutine))
			calls[n++] = at;
		if (!child_at(&at, addr, &below))
			break;
		at = below;
	}
	return n;
}

/* True when the function itself was found. */
static bool add_calls(struct frames *f, Dwarf_Die *unit, uint64_t addr)
{
	Dwarf_Die calls[MAX_INLINED];
	int n = calls_at(unit, addr, calls);

	for (int i = n - 1; i >= 0; i--) {
		push(f, dh_die_name(f->s, &calls[i]), i > 0);
		if (i)
			caller_line(f, &calls[i]);
	}
	return n;
}

static void look_up(struct frames *f, struct dh_sym_entry *e, uint64_t addr)
{
	Dwarf_Die unit;
	uint64_t bias;
	bool found = false;

	f->next.module = e->shown.path;
	f->next.build_id = e->shown.build_id;
	f->next.offset = addr - e->shown.bias;
	if (!e->dwfl) {
		push(f, NULL, false);
		return;
	}
	if (dh_sym_unit_at(e, addr, &unit, &bias)) {
		start_line(f, &unit, addr - bias);
		found = add_calls(f, &unit, addr - bias);
	}
	if (!found)
		push(f, symbol_name(f->s, e, addr), false);
	else if (!f->frame[f->n - 1].function)
		f->frame[f->n - 1].function = symbol_name(f->s, e, addr);
}

struct dh_stack dh_sym_frames(struct dh_sym *s, uint64_t addr)
{
	struct dh_stack *known = dh_map_getp(&s->frames, addr);
	struct dh_sym_entry *e;
	struct frames f = {.s = s, .next.offset = addr};

	if (known)
		return *known;
	e = dh_sym_entry_at(s, addr);
	if (e)
		look_up(&f, e, addr);
	else
		push(&f, NULL, false);
	known = dh_arena_alloc(&s->arena, sizeof(*known));
	known->frames = dh_arena_memdup(&s->arena, f.frame, f.n * sizeof(f.frame[0]));
	known->n = f.n;
	dh_map_setp(&s->frames, addr, known);
	return *known;
}

int dh_sym_function(struct dh_sym *s, uint64_t addr, struct dh_sym_function *ret)
{
	struct dh_sym_entry *e = dh_sym_entry_at(s, addr);
	uint64_t start, size;
	struct dh_stack at;

	if (!e || !e->dwfl)
		return -ENOENT;
	if (dh_sym_symbol_at(e, addr, true, &start, &size) && size) {
		at = dh_sym_frames(s, addr);
		*ret = (struct dh_sym_function){
			.name = at.frames[at.n - 1].function, .start = start, .end = start + size};
		return 0;
	}
	if (!dh_sym_bounds_at(e, addr, &start, &size))
		return -ENOENT;
	at = dh_sym_frames(s, addr);
	*ret = (struct dh_sym_function){
		.name = at.frames[at.n - 1].function, .start = start, .end = start + size};
	return 0;
}

static bool names_module(const char *path, const char *name, size_t n)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return strlen(base) == n && memcmp(base, name, n) == 0;
}

struct best {
	uint64_t addr, size;
	bool found, global;
};

static void search_module(struct dh_sym_entry *e, const char *name, struct best *best)
{
	int n = dwfl_module_getsymtab(e->dwfl);

	for (int i = 1; i < n && !best->global; i++) {
		GElf_Sym sym;
		GElf_Addr addr;
		GElf_Word section;
		const char *found =
			dwfl_module_getsym_info(e->dwfl, i, &sym, &addr, &section, NULL, NULL);
		size_t len = strlen(name);
		int type = GELF_ST_TYPE(sym.st_info);

		if (!found || strncmp(found, name, len) != 0 || (found[len] && found[len] != '@'))
			continue;
		if (section == SHN_UNDEF || type == STT_TLS || type == STT_FILE ||
			type == STT_SECTION)
			continue;
		best->global = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		if (best->found && !best->global)
			continue;
		best->found = true;
		best->addr = addr;
		best->size = sym.st_size;
	}
}

int dh_sym_address(struct dh_sym *s, const char *name, uint64_t *ret, uint64_t *ret_size)
{
	const char *colon = strchr(name, ':');
	struct best best = {0};

	/* "ns::name" is one name. */
	if (colon && colon[1] == ':')
		colon = NULL;
	for (size_t i = 0; i < s->n && !best.global; i++) {
		struct dh_sym_entry *e = &s->entries[i];

		if (!e->dwfl)
			continue;
		if (colon && !names_module(e->shown.path, name, (size_t)(colon - name)))
			continue;
		search_module(e, colon ? colon + 1 : name, &best);
	}
	if (!best.found)
		return -ENOENT;
	*ret = best.addr;
	if (ret_size)
		*ret_size = best.size;
	return 0;
}
