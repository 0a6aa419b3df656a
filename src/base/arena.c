#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Blocks double from the first to the largest: a finding owns an arena of a few kilobytes, and
 * there may be a million findings. */
#define BLOCK_FIRST ((size_t)1024)
#define BLOCK_SIZE  ((size_t)64 * 1024)
#define ALIGN       ((size_t)16)

struct dh_arena_block {
	struct dh_arena_block *next;
	size_t size;
	_Alignas(16) char data[];
};

void dh_arena_release(struct dh_arena *a)
{
	struct dh_arena_block *b = a->blocks;

	while (b) {
		struct dh_arena_block *next = b->next;

		free(b);
		b = next;
	}
	*a = DH_ARENA_INIT;
}

static struct dh_arena_block *add_block(struct dh_arena *a, size_t size)
{
	struct dh_arena_block *b = dh_zalloc(sizeof(*b) + size);

	b->size = size;
	b->next = a->blocks;
	a->blocks = b;
	a->total += sizeof(*b) + size;
	return b;
}

void *dh_arena_alloc(struct dh_arena *a, size_t size)
{
	char *p;

	size = (size + ALIGN - 1) & ~(ALIGN - 1);
	if (size > BLOCK_SIZE / 4)
		return add_block(a, size)->data; /* big ones get their own block */
	if ((size_t)(a->end - a->at) < size) {
		size_t next = DH_MIN(DH_MAX(a->total, BLOCK_FIRST), BLOCK_SIZE);
		struct dh_arena_block *b = add_block(a, DH_MAX(next, size));

		a->at = b->data;
		a->end = b->data + b->size;
	}
	p = a->at;
	a->at += size;
	return p;
}

void *dh_arena_memdup(struct dh_arena *a, const void *p, size_t n)
{
	void *q = dh_arena_alloc(a, n);

	if (n)
		memcpy(q, p, n);
	return q;
}

char *dh_arena_strndup(struct dh_arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = dh_arena_alloc(a, len + 1);

	memcpy(p, s, len);
	return p;
}

char *dh_arena_strdup(struct dh_arena *a, const char *s)
{
	return dh_arena_strndup(a, s, strlen(s));
}
