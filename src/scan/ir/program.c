#include "scan/ir/ir.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"

#define GROW_ZEROED(p, name)                                                                       \
	do {                                                                                       \
		DH_GROW((p)->name, (p)->n_##name, (p)->cap_##name);                                \
		memset(&(p)->name[(p)->n_##name], 0, sizeof(*(p)->name));                          \
	} while (0)

struct dh_scan_program *dh_scan_program_new(void)
{
	struct dh_scan_program *p = dh_new(struct dh_scan_program);

	dh_strset_init(&p->strings);
	dh_strset_add(&p->strings, "");
	GROW_ZEROED(p, nodes);
	GROW_ZEROED(p, types);
	GROW_ZEROED(p, fields);
	GROW_ZEROED(p, symbols);
	GROW_ZEROED(p, functions);
	GROW_ZEROED(p, units);
	p->n_nodes = p->n_types = p->n_fields = p->n_symbols = p->n_functions = p->n_units = 1;
	return p;
}

void dh_scan_program_free(struct dh_scan_program *p)
{
	if (!p)
		return;
	dh_arena_release(&p->arena);
	dh_strset_release(&p->strings);
	dh_map_release(&p->by_key);
	free(p->nodes);
	free(p->types);
	free(p->fields);
	free(p->symbols);
	free(p->functions);
	free(p->units);
	free(p->inits);
	free(p->facts);
	free(p->node_index);
	free(p);
}

uint32_t dh_scan_str(struct dh_scan_program *p, const char *s)
{
	return s && s[0] ? dh_strset_add(&p->strings, s) : 0;
}

const char *dh_scan_text(const struct dh_scan_program *p, uint32_t string)
{
	return dh_strset_get(&p->strings, string);
}

/* One table for several kinds of things; the first word of a key tells them apart.  Keys are 64-bit
 * hashes: among ten million things, two are taken for one with a chance of 1 in 400,000. */
enum { KEY_TYPE = 1, KEY_FIELD, KEY_SYMBOL, KEY_FACT };

static uint64_t key_of(const uint64_t *words, size_t n)
{
	return XXH3_64bits(words, n * sizeof(*words));
}

/* The strings of a key are ids, which are unique for their text within one program. */
uint32_t dh_scan_type_add(struct dh_scan_program *p, const struct dh_scan_type *type)
{
	uint64_t words[] = {KEY_TYPE, type->kind, type->name, type->target, type->size};
	uint64_t key, id;

	if (type->name && (type->kind == DH_SCAN_TYPE_STRUCT || type->kind == DH_SCAN_TYPE_UNION))
		words[3] = 0;
	key = key_of(words, DH_ARRAY_SIZE(words));
	if (dh_map_get(&p->by_key, key, &id))
		return (uint32_t)id;
	GROW_ZEROED(p, types);
	p->types[p->n_types] = *type;
	dh_map_set(&p->by_key, key, p->n_types);
	return p->n_types++;
}

uint32_t dh_scan_field_add(struct dh_scan_program *p, const struct dh_scan_field *field)
{
	uint64_t words[] = {KEY_FIELD, field->owner, field->name, field->offset_bits};
	uint64_t key = key_of(words, DH_ARRAY_SIZE(words)), id;

	if (dh_map_get(&p->by_key, key, &id))
		return (uint32_t)id;
	GROW_ZEROED(p, fields);
	p->fields[p->n_fields] = *field;
	dh_map_set(&p->by_key, key, p->n_fields);
	return p->n_fields++;
}

static uint64_t symbol_key(const struct dh_scan_symbol *s)
{
	bool file_local = s->flags & DH_SCAN_SYM_STATIC;
	uint64_t words[] = {KEY_SYMBOL, s->name, file_local ? 1 + (uint64_t)s->file : 0,
		file_local ? s->line : 0};

	return key_of(words, DH_ARRAY_SIZE(words));
}

static void join(struct dh_scan_symbol *to, const struct dh_scan_symbol *from)
{
	bool better = !(to->flags & DH_SCAN_SYM_DEFINED) && from->flags & DH_SCAN_SYM_DEFINED;

	if (from->type && (better || !to->type))
		to->type = from->type;
	if (from->line && (better || !to->line)) {
		to->file = from->file;
		to->line = from->line;
	}
	if (from->pretty && (better || !to->pretty))
		to->pretty = from->pretty;
	if (!to->section)
		to->section = from->section;
	if (!to->alias)
		to->alias = from->alias;
	to->flags |= from->flags;
}

uint32_t dh_scan_symbol_add(struct dh_scan_program *p, const struct dh_scan_symbol *symbol)
{
	uint64_t key = symbol_key(symbol), id;

	if (dh_map_get(&p->by_key, key, &id)) {
		join(&p->symbols[id], symbol);
		return (uint32_t)id;
	}
	GROW_ZEROED(p, symbols);
	p->symbols[p->n_symbols] = *symbol;
	p->symbols[p->n_symbols].function = 0;
	dh_map_set(&p->by_key, key, p->n_symbols);
	return p->n_symbols++;
}

uint32_t dh_scan_symbol_find(const struct dh_scan_program *p, const char *name)
{
	int64_t string = dh_strset_find(&p->strings, name);
	struct dh_scan_symbol s = {.name = (uint32_t)string};
	uint64_t id;

	if (string <= 0 || !dh_map_get(&p->by_key, symbol_key(&s), &id))
		return 0;
	return (uint32_t)id;
}

void dh_scan_init_add(struct dh_scan_program *p, uint32_t addr, uint32_t value)
{
	GROW_ZEROED(p, inits);
	p->inits[p->n_inits++] = (struct dh_scan_init){addr, value};
}

void dh_scan_fact_add(struct dh_scan_program *p, const struct dh_scan_fact *fact)
{
	uint64_t words[] = {KEY_FACT, fact->kind, fact->text, fact->symbol, fact->field};
	uint64_t key = key_of(words, DH_ARRAY_SIZE(words)), id;

	/* A summary that turned out to be damaged leaves keys of facts that were taken back. */
	if (dh_map_get(&p->by_key, key, &id) && id < p->n_facts &&
		memcmp(&p->facts[id], fact, sizeof(*fact)) == 0)
		return;
	dh_map_set(&p->by_key, key, p->n_facts);
	GROW_ZEROED(p, facts);
	p->facts[p->n_facts++] = *fact;
}

uint32_t dh_scan_unit_add(struct dh_scan_program *p, const char *file, uint64_t lines)
{
	GROW_ZEROED(p, units);
	p->units[p->n_units] = (struct dh_scan_unit){dh_scan_str(p, file), lines};
	return p->n_units++;
}

uint32_t dh_scan_callee(const struct dh_scan_program *p, const struct dh_scan_stmt *s)
{
	const struct dh_scan_node *n = &p->nodes[s->addr];

	if (s->op != DH_SCAN_CALLS || n->op != DH_SCAN_GLOBAL)
		return 0;
	return p->symbols[n->a].flags & DH_SCAN_SYM_FUNCTION ? n->a : 0;
}

uint32_t dh_scan_block_of(const struct dh_scan_function *f, uint32_t stmt)
{
	uint32_t i = 0;

	while (i + 1 < f->n_blocks && stmt - f->blocks[i].first >= f->blocks[i].n)
		i++;
	return i;
}

uint32_t dh_scan_stmt_file(const struct dh_scan_function *f, uint32_t stmt)
{
	uint32_t low = 0, high = f->n_elsewhere;

	if (!(f->stmts[stmt].flags & DH_SCAN_ELSEWHERE))
		return f->file;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f->elsewhere[mid].stmt < stmt)
			low = mid + 1;
		else
			high = mid;
	}
	return low < f->n_elsewhere && f->elsewhere[low].stmt == stmt ? f->elsewhere[low].file
								      : f->file;
}
