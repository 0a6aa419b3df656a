/* Bump allocation: many small objects that die together. */
#pragma once
#include "base/forward.h"

struct dh_arena_block;

struct dh_arena {
	struct dh_arena_block *blocks;
	char *at, *end;
	size_t total; /* bytes taken from the system */
};

#define DH_ARENA_INIT ((struct dh_arena){0})

void dh_arena_release(struct dh_arena *a);
/* Zeroed, aligned for any type. */
void *dh_arena_alloc(struct dh_arena *a, size_t size);
char *dh_arena_strndup(struct dh_arena *a, const char *s, size_t n);
char *dh_arena_strdup(struct dh_arena *a, const char *s);
void *dh_arena_memdup(struct dh_arena *a, const void *p, size_t n);
