/* Findings of other origins as suspects: the places that they name, as addresses of statements. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "fuzz/calls.h"
#include "fuzz/internal.h"
#include "fuzz/program.h"
#include "fuzz/symbols.h"
#include "model/candidate.h"
#include "sym/line.h"

#define MAX_RANGES 64

/* Each instrumented access is a call, and its statement is known by where that call returns to.
 * Calls of other functions on the line do no harm: no access comes from there. */
static size_t add_calls(struct dh_campaign *c, struct dh_suspect *s, int mem,
	const struct dh_sym_range *range, enum dh_sched_role role, uint16_t index)
{
	uint64_t pcs[DH_SUSPECT_TARGETS];
	size_t n = dh_code_calls(mem, range->start, range->end, pcs, DH_SUSPECT_TARGETS);
	size_t added = 0;

	for (size_t i = 0; i < n; i++)
		added += dh_suspect_target(s, pcs[i], role, index, c->sym);
	return added;
}

/* The same in a program that was not built for it: breakpoints at its instructions. */
static size_t add_traps(struct dh_campaign *c, struct dh_suspect *s, int mem,
	const struct dh_sym_range *range, enum dh_sched_role role, uint16_t index)
{
	struct dh_code_access found[DH_SUSPECT_TARGETS];
	size_t n = dh_code_accesses(mem, range->start, range->end, found, DH_SUSPECT_TARGETS);
	size_t added = 0;

	for (size_t i = 0; i < n; i++) {
		const struct dh_code_access *a = &found[i];
		struct dh_sched_target *t;

		if (!dh_suspect_target(s, a->next, role, index, c->sym))
			continue;
		t = &s->targets[s->n_targets - 1];
		t->trap = a->length;
		t->access = (uint8_t)((a->writes ? DH_SCHED_WRITE : 0) |
				      (a->atomic ? DH_SCHED_ATOMIC : 0));
		t->base = a->base;
		t->index_register = a->index;
		t->scale = a->scale;
		t->size = a->size;
		t->disp = a->disp;
		added++;
	}
	return added;
}

static size_t add_range(struct dh_campaign *c, struct dh_suspect *s, int mem,
	const struct dh_sym_range *range, enum dh_sched_role role, uint16_t index)
{
	return c->o.server.preload && role != DH_TARGET_LOCK
		       ? add_traps(c, s, mem, range, role, index)
		       : add_calls(c, s, mem, range, role, index);
}

/* A module by its path, or the last part of it. */
static uint64_t find_offset(const struct dh_campaign *c, const struct dh_frame *at)
{
	for (size_t i = 0; i < dh_symbols_n_modules(c->sym); i++) {
		const char *path = dh_symbols_module(c->sym, (uint32_t)i);

		if (!path[0])
			path = c->o.server.program->path;
		if (!at->module || strcmp(path, at->module) == 0 ||
			strcmp(dh_path_base(path), dh_path_base(at->module)) == 0)
			return dh_symbols_pc(c->sym, (uint32_t)i, at->offset);
	}
	return 0;
}

static size_t add_place(struct dh_campaign *c, struct dh_suspect *s, int mem,
	const struct dh_frame *at, enum dh_sched_role role, uint16_t index)
{
	struct dh_sym_range ranges[MAX_RANGES];
	size_t n = 0, added = 0;

	if (at->file && at->line) {
		n = dh_sym_line(dh_symbols_session(c->sym), at->file, at->line, ranges, MAX_RANGES);
	} else if (at->offset) {
		ranges[0].start = find_offset(c, at);
		ranges[0].end = ranges[0].start + 1;
		n = ranges[0].start != 0;
	}
	for (size_t i = 0; i < n && i < MAX_RANGES; i++)
		added += add_range(c, s, mem, &ranges[i], role, index);
	return added;
}

static void say_place(const struct dh_frame *at, char *ret, size_t size)
{
	if (at->file && at->line)
		snprintf(ret, size, "%s:%u", at->file, at->line);
	else
		snprintf(ret, size, "%s+0x%llx", at->module ? at->module : "the program",
			(unsigned long long)at->offset);
}

static const struct {
	enum dh_kind kind;
	enum dh_sched_candidate_kind suspect;
	enum dh_sched_role role[DH_SCHED_SITES_MAX]; /* of its sites, in their order */
} kinds[] = {
	{DH_KIND_DATA_RACE, DH_CAND_RACE, {DH_TARGET_RACE, DH_TARGET_RACE}},
	{DH_KIND_DEADLOCK, DH_CAND_DEADLOCK,
		{DH_TARGET_LOCK, DH_TARGET_LOCK, DH_TARGET_LOCK, DH_TARGET_LOCK, DH_TARGET_LOCK,
			DH_TARGET_LOCK, DH_TARGET_LOCK, DH_TARGET_LOCK}},
	{DH_KIND_ATOMICITY_VIOLATION, DH_CAND_ATOMICITY,
		{DH_TARGET_FIRST, DH_TARGET_SECOND, DH_TARGET_REMOTE}},
	{DH_KIND_ORDER_VIOLATION, DH_CAND_ORDER, {DH_TARGET_FIRST, DH_TARGET_SECOND}},
};

static int add_sides(struct dh_campaign *c, struct dh_suspect *s, size_t row, struct dh_error *err)
{
	char path[300];
	DH_FD int mem = -1;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)dh_server_pid(dh_pool_first(c->pool)));
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return dh_error_set(
			err, errno, "cannot read the program's code: %s", strerror(errno));
	for (size_t i = 0; i < s->from->n_sites && i < DH_SCHED_SITES_MAX; i++) {
		const struct dh_frame *at = &s->from->sites[i].at;

		if (!kinds[row].role[i])
			break;
		/* Who waits where is to be arranged; where the locks were taken follows. */
		if (s->from->kind == DH_KIND_DEADLOCK && dh_site_is_held(&s->from->sites[i]))
			continue;
		if (add_place(c, s, mem, at, kinds[row].role[i], (uint16_t)i) == 0) {
			say_place(at, path, sizeof(path));
			return dh_error_set(err, ENOENT,
				"%s has no access to memory in this program that could be watched",
				path);
		}
	}
	return 0;
}

/* Takes the last one out again. */
static void drop(struct dh_suspects *s)
{
	struct dh_suspect *last = s->items[--s->n];

	dh_finding_free(last->from);
	free(last);
}

int dh_campaign_suspect(struct dh_campaign *c, struct dh_finding *f, struct dh_error *err)
{
	struct dh_suspect *s;
	size_t row = 0;
	int r;

	while (row < DH_ARRAY_SIZE(kinds) && kinds[row].kind != f->kind)
		row++;
	if (row == DH_ARRAY_SIZE(kinds) || f->n_sites < 2) {
		r = dh_error_set(err, ENOTSUP, "%s: nothing that a schedule could decide",
			dh_kind_name(f->kind));
		dh_finding_free(f);
		return r;
	}
	s = dh_suspects_new(&c->suspects, kinds[row].suspect);
	s->from = f;
	r = add_sides(c, s, row, err);
	if (r < 0) {
		c->t.elsewhere++;
		drop(&c->suspects);
	}
	return r;
}

/* "file.c:12", "0x1234" in the program, or "module+0x1234". */
static int parse_place(const char *text, struct dh_arena *arena, struct dh_frame *ret)
{
	const char *colon = strrchr(text, ':'), *plus = strrchr(text, '+');
	const char *number = plus ? plus + 1 : text;
	char *end;

	*ret = (struct dh_frame){0};
	if (colon && !plus) {
		ret->file = dh_arena_strndup(arena, text, (size_t)(colon - text));
		ret->line = (uint32_t)strtoul(colon + 1, &end, 10);
		return *end || !ret->line ? -EINVAL : 0;
	}
	if (plus)
		ret->module = dh_arena_strndup(arena, text, (size_t)(plus - text));
	ret->offset = strtoull(number, &end, 16);
	return *end || !ret->offset ? -EINVAL : 0;
}

static void add_side(
	struct dh_campaign *c, struct dh_finding *f, const struct dh_frame *given, const char *role)
{
	struct dh_site site = {.role = role, .at = *given};
	uint64_t pc = given->offset ? find_offset(c, given) : 0;

	if (pc)
		site.at = *dh_symbols_at(c->sym, pc + 1);
	dh_finding_add_site(f, &site);
}

int dh_campaign_pair(struct dh_campaign *c, const char *pair, struct dh_error *err)
{
	DH_FREE char *first = dh_strdup(pair);
	char *comma = strchr(first, ',');
	struct dh_frame side[2];
	struct dh_finding *f;

	if (comma)
		*comma++ = 0;
	if (!comma || parse_place(first, &c->arena, &side[0]) < 0 ||
		parse_place(comma, &c->arena, &side[1]) < 0)
		return dh_error_set(err, EINVAL,
			"--pair: '%s' is not two places (FILE:LINE,FILE:LINE or "
			"[MODULE+]0xOFFSET,[MODULE+]0xOFFSET)",
			pair);
	f = dh_finding_new(DH_KIND_DATA_RACE);
	add_side(c, f, &side[0], "first");
	add_side(c, f, &side[1], "second");
	dh_finding_set_title(f, "data race between %s and %s", first, comma);
	dh_finding_seal(f);
	return dh_campaign_suspect(c, f, err);
}
