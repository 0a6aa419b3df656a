#include "model/finding.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

struct dh_finding *dh_finding_new(enum dh_kind kind)
{
	struct dh_finding *f = dh_new(struct dh_finding);

	f->kind = kind;
	return f;
}

void dh_finding_free(struct dh_finding *f)
{
	if (!f)
		return;
	dh_arena_release(&f->arena);
	free(f);
}

const char *dh_finding_strdup(struct dh_finding *f, const char *s)
{
	return s ? dh_arena_strdup(&f->arena, s) : NULL;
}

/* Room for one more in an array of the arena.  Capacities are powers of two, so they need not be
 * stored: the array is full exactly when n is zero or a power of two. */
static void *grow(struct dh_finding *f, void *array, size_t n, size_t size)
{
	void *bigger;

	if (n & (n - 1))
		return array;
	bigger = dh_arena_alloc(&f->arena, (n ? n * 2 : 1) * size);
	if (n)
		memcpy(bigger, array, n * size);
	return bigger;
}

DH_PRINTF(2, 0) static const char *vformat(struct dh_finding *f, const char *fmt, va_list ap)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	dh_buf_vaddf(&b, fmt, ap);
	return dh_arena_strdup(&f->arena, dh_buf_str(&b));
}

void dh_finding_set_title(struct dh_finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	f->title = vformat(f, fmt, ap);
	va_end(ap);
}

void dh_finding_add_reason(struct dh_finding *f, const char *fmt, ...)
{
	va_list ap;

	f->reasons = grow(f, f->reasons, f->n_reasons, sizeof(*f->reasons));
	va_start(ap, fmt);
	f->reasons[f->n_reasons++] = vformat(f, fmt, ap);
	va_end(ap);
}

bool dh_site_is_held(const struct dh_site *site)
{
	return site->role && strcmp(site->role, "holds") == 0;
}

struct dh_site *dh_finding_add_site(struct dh_finding *f, const struct dh_site *site)
{
	struct dh_site *s;

	f->sites = grow(f, f->sites, f->n_sites, sizeof(*f->sites));
	s = &f->sites[f->n_sites++];
	*s = *site;
	s->role = dh_finding_strdup(f, site->role);
	s->text = dh_finding_strdup(f, site->text);
	s->who = dh_finding_strdup(f, site->who);
	s->order = dh_finding_strdup(f, site->order);
	dh_frame_copy(&f->arena, &s->at, &site->at);
	dh_stack_copy(&f->arena, &s->stack, &site->stack);
	dh_stack_copy(&f->arena, &s->created, &site->created);
	s->locks = NULL;
	if (s->n_locks)
		s->locks = dh_arena_alloc(&f->arena, s->n_locks * sizeof(*s->locks));
	for (size_t i = 0; i < s->n_locks; i++)
		s->locks[i] = dh_finding_strdup(f, site->locks[i]);
	return s;
}

void dh_finding_add_step(struct dh_finding *f, const struct dh_step *step)
{
	struct dh_step *s;

	f->steps = grow(f, f->steps, f->n_steps, sizeof(*f->steps));
	s = &f->steps[f->n_steps++];
	*s = *step;
	s->lane = dh_finding_strdup(f, step->lane);
	s->label = dh_finding_strdup(f, step->label);
	s->file = dh_finding_strdup(f, step->file);
}

int dh_finding_add_evidence(struct dh_finding *f, const struct dh_evidence *e)
{
	struct dh_evidence copy = *e;
	size_t at = f->n_evidence;

	if (!e->by || !e->by[0])
		return -EINVAL;
	if (dh_level_needs_command(e->level) && (!e->reproduce || !e->reproduce[0]))
		return -EINVAL;
	copy.by = dh_finding_strdup(f, e->by);
	copy.budget = dh_finding_strdup(f, e->budget);
	copy.reproduce = dh_finding_strdup(f, e->reproduce);
	copy.note = dh_finding_strdup(f, e->note);
	f->evidence = grow(f, f->evidence, f->n_evidence, sizeof(*f->evidence));
	for (; at && f->evidence[at - 1].when > e->when; at--)
		f->evidence[at] = f->evidence[at - 1];
	f->evidence[at] = copy;
	if (!f->n_evidence++ || e->level > f->level)
		f->level = e->level;
	return 0;
}

static const struct dh_evidence *strongest(const struct dh_finding *f, bool with_command)
{
	const struct dh_evidence *best = NULL;

	for (size_t i = 0; i < f->n_evidence; i++) {
		const struct dh_evidence *e = &f->evidence[i];

		if ((e->reproduce || !with_command) && (!best || e->level >= best->level))
			best = e;
	}
	return best;
}

const struct dh_evidence *dh_finding_strongest(const struct dh_finding *f)
{
	return strongest(f, false);
}

const char *dh_finding_reproduce(const struct dh_finding *f)
{
	const struct dh_evidence *e = strongest(f, true);

	return e ? e->reproduce : NULL;
}

int dh_finding_compare(const struct dh_finding *a, const struct dh_finding *b)
{
	unsigned ua = dh_level_urgency(a->level), ub = dh_level_urgency(b->level);

	if (ua != ub)
		return ua > ub ? -1 : 1;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return strcmp(a->fingerprint, b->fingerprint);
}
