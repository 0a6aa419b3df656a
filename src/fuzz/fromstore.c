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

static size_t add_line(struct dh_campaign *c, struct dh_suspect *s, int mem,
	const struct dh_frame *at, enum dh_sched_role role, uint16_t index)
{
	struct dh_sym_range ranges[MAX_RANGES];
	size_t n = at->file ? dh_sym_line(dh_symbols_session(c->sym), at->file, at->line, ranges,
				      MAX_RANGES)
			    : 0;
	size_t added = 0;

	for (size_t i = 0; i < n && i < MAX_RANGES; i++)
		added += add_calls(c, s, mem, &ranges[i], role, index);
	return added;
}

static const struct {
	enum dh_kind kind;
	enum dh_sched_candidate_kind suspect;
	enum dh_sched_role role[3]; /* of its sites, in their order */
} kinds[] = {
	{DH_KIND_DATA_RACE, DH_CAND_RACE, {DH_TARGET_RACE, DH_TARGET_RACE}},
	{DH_KIND_DEADLOCK, DH_CAND_DEADLOCK, {DH_TARGET_LOCK, DH_TARGET_LOCK, DH_TARGET_LOCK}},
	{DH_KIND_ATOMICITY_VIOLATION, DH_CAND_ATOMICITY,
		{DH_TARGET_FIRST, DH_TARGET_SECOND, DH_TARGET_REMOTE}},
	{DH_KIND_ORDER_VIOLATION, DH_CAND_ORDER, {DH_TARGET_FIRST, DH_TARGET_SECOND}},
};

static int add_sides(struct dh_campaign *c, struct dh_suspect *s, size_t row, struct dh_error *err)
{
	char path[32];
	DH_FD int mem = -1;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)dh_server_pid(dh_pool_first(c->pool)));
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return dh_error_set(
			err, errno, "cannot read the program's code: %s", strerror(errno));
	for (size_t i = 0; i < s->from->n_sites && i < 3; i++) {
		const struct dh_frame *at = &s->from->sites[i].at;

		if (!kinds[row].role[i])
			break;
		if (add_line(c, s, mem, at, kinds[row].role[i], (uint16_t)i) == 0)
			return dh_error_set(err, ENOENT,
				"%s:%u is not code of this program that was built for fuzzing",
				at->file ? at->file : "?", at->line);
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
