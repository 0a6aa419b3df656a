/* File locks: who releases one happens before who takes it, when the two exclude each other. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/builder.h"

/* Older releases are known through newer ones nearly always. */
#define RELEASED_MAX 256

static bool overlap(const struct lock_range *a, uint64_t from, uint64_t to)
{
	return a->from < to && from < a->to;
}

static void remember(struct locks *l, const struct lock_range *r)
{
	if (l->n_released == RELEASED_MAX)
		memmove(l->released, l->released + 1, --l->n_released * sizeof(*r));
	DH_GROW(l->released, l->n_released, l->cap_released);
	l->released[l->n_released++] = *r;
}

void dh_lock_drop(struct builder *b, uint32_t inode, uint64_t owner, uint64_t from, uint64_t to)
{
	struct locks *l = inode == NONE ? NULL : b->inodes[inode].locks;

	for (size_t i = 0; l && i < l->n_held;) {
		struct lock_range *r = &l->held[i];

		if (r->owner != owner || !overlap(r, from, to)) {
			i++;
			continue;
		}
		r->call = b->now;
		remember(l, r);
		*r = l->held[--l->n_held];
	}
}

void dh_lock_take(struct builder *b, uint32_t inode, const struct lock_range *want)
{
	struct locks *l;

	if (inode == NONE)
		return;
	dh_lock_drop(b, inode, want->owner, want->from, want->to); /* taken again: converted */
	if (!b->inodes[inode].locks)
		b->inodes[inode].locks = dh_new(struct locks);
	l = b->inodes[inode].locks;
	for (size_t i = 0; i < l->n_released; i++) {
		const struct lock_range *r = &l->released[i];

		if (r->call != b->now && overlap(r, want->from, want->to) &&
			(r->exclusive || want->exclusive))
			dh_build_after(b, r->call);
	}
	DH_GROW(l->held, l->n_held, l->cap_held);
	l->held[l->n_held++] = *want;
}

void dh_locks_release(struct inode *i)
{
	if (!i->locks)
		return;
	free(i->locks->held);
	free(i->locks->released);
	free(i->locks);
}
