/* System calls in the code of files: what was learnt of them in one process holds for all that map
 * the file later, and is used as soon as they do.  So short programs need not learn it anew. */
#include "record/buffer.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/alloc.h"

/* The rest is for what a program finds out by itself. */
#define PATCHES_MAX 384u

/* One file with code. */
struct code {
	struct dh_map calls;   /* offset behind a call -> how often it was made, or DH_SITE_NEVER */
	struct dh_patch *good; /* what can be patched; start is the offset in the file */
	size_t n, cap;
};

static struct code *code_of(struct recorder *r, uint64_t file)
{
	struct code *c = dh_map_getp(&r->codes, file);

	if (!c) {
		c = dh_new(struct code);
		dh_map_setp(&r->codes, file, c);
	}
	return c;
}

void dh_sites_release(struct recorder *r)
{
	dh_map_foreach (slot, &r->codes) {
		struct code *c = (struct code *)(uintptr_t)slot->value;

		dh_map_release(&c->calls);
		free(c->good);
		free(c);
	}
	dh_map_release(&r->codes);
}

static struct dh_ev_vma *text_at(const struct space *s, uint64_t pc)
{
	for (size_t i = 0; i < s->n_texts; i++) {
		if (pc >= s->texts[i].start && pc < s->texts[i].end)
			return &s->texts[i];
	}
	return NULL;
}

struct site dh_sites_find(struct recorder *r, struct space *s, uint64_t pc)
{
	const struct dh_ev_vma *v = text_at(s, pc);

	if (!v)
		return (struct site){&s->sites, pc};
	return (struct site){&code_of(r, v->file)->calls, pc - v->start + v->offset};
}

void dh_sites_learnt(struct recorder *r, struct space *s, const struct dh_patch *p)
{
	const struct dh_ev_vma *v = text_at(s, p->start);
	struct code *c;

	if (!v)
		return;
	c = code_of(r, v->file);
	for (size_t i = 0; i < c->n; i++) {
		if (c->good[i].start == p->start - v->start + v->offset)
			return;
	}
	DH_GROW(c->good, c->n, c->cap);
	c->good[c->n] = *p;
	c->good[c->n++].start = p->start - v->start + v->offset;
}

/* What is mapped now takes the place of what was there. */
static void note_text(struct space *s, const struct dh_ev_vma *v, bool is_text)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_texts; i++) {
		if (s->texts[i].start >= v->end || s->texts[i].end <= v->start)
			s->texts[kept++] = s->texts[i];
	}
	s->n_texts = kept;
	if (!is_text)
		return;
	DH_GROW(s->texts, s->n_texts, s->cap_texts);
	s->texts[s->n_texts++] = *v;
}

/* Those of the file that lie in what is mapped of it. */
static size_t choose(const struct code *c, const struct dh_ev_vma *v, struct dh_patch *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct dh_patch p = c->good[i];

		if (p.start < v->offset)
			continue;
		p.start += v->start - v->offset;
		if (p.start + dh_patch_length(&p) <= v->end)
			ret[n++] = p;
	}
	return n;
}

/* Those that fit in between the others get a place. */
static size_t place(struct recorder *r, struct task *t, struct dh_patch *list, size_t n)
{
	struct space *s = t->process->space;
	size_t kept = 0;

	for (size_t i = 0; i < n && s->next_index < PATCHES_MAX; i++) {
		struct dh_patch p = list[i];

		p.index = s->next_index;
		if (dh_buffer_is_occupied(r, t, &p) || dh_patches_add(&s->patches, &p) < 0)
			continue;
		s->next_index++;
		list[kept++] = p;
	}
	return kept;
}

static void patch_known(
	struct recorder *r, struct task *t, const struct code *c, const struct dh_ev_vma *v)
{
	struct space *s = t->process->space;
	struct dh_patch *list = dh_alloc(c->n * sizeof(*list));
	size_t n = place(r, t, list, dh_patch_select(&t->t, list, choose(c, v, list)));
	int e = n ? dh_patch_apply_all(&t->t, list, n) : 0;

	if (n && e == 0)
		dh_buffer_activate(r, t);
	for (size_t i = 0; i < n; i++) {
		if (e == 0)
			dh_buffer_log_patch(r, t, &list[i]);
		else
			dh_patches_remove(&s->patches, dh_patches_at(&s->patches, list[i].start));
	}
	free(list);
}

void dh_sites_mapped(struct recorder *r, struct task *t, const struct dh_ev_vma *v)
{
	struct space *s = t->process->space;
	struct code *c;
	bool is_text = v->file && !v->shared && (v->prot & PROT_EXEC) && !(v->prot & PROT_WRITE);

	if (!s)
		return;
	note_text(s, v, is_text);
	c = is_text ? dh_map_getp(&r->codes, v->file) : NULL;
	if (c && c->n && dh_buffer_is_used(r, s))
		patch_known(r, t, c, v);
}
