/* Where in a program something happens: a frame, a stack of frames, an access.
 * Strings are borrowed from an arena (usually the finding's); NULL means not known. */
#pragma once
#include "base/forward.h"

struct dh_frame {
	const char *function;
	const char *file;     /* as the compiler gave it */
	uint32_t line;        /* 0: not known */
	uint32_t column;      /* 0: not known */
	const char *module;   /* path of the executable or library */
	const char *build_id; /* hex */
	uint64_t offset;      /* in the module */
	bool inlined;         /* the next frame is the caller it was inlined into */
};

struct dh_stack {
	struct dh_frame *frames; /* innermost first */
	size_t n;
};

enum dh_access_kind { DH_ACCESS_NONE, DH_ACCESS_READ, DH_ACCESS_WRITE, DH_ACCESS_UPDATE };

struct dh_access {
	enum dh_access_kind kind;
	uint32_t size; /* bytes, 0: not known */
	bool atomic;
	bool has_values; /* before and after are meaningful */
	uint64_t before, after;
};

/* Stable names: "read", "write", "update", "none". */
const char *dh_access_kind_name(enum dh_access_kind kind);
/* The kind or -1. */
int dh_access_kind_parse(const char *name);

/* Deep copies: every string and array goes into the arena. */
void dh_frame_copy(struct dh_arena *a, struct dh_frame *ret, const struct dh_frame *src);
void dh_stack_copy(struct dh_arena *a, struct dh_stack *ret, const struct dh_stack *src);
/* The part behind the last slash; "" for a path that ends in one. */
const char *dh_path_base(const char *path);
