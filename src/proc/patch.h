/* System call instructions that were replaced by a jump to a trampoline, which leads into the
 * buffer (wire/buffer.h) and back.
 *
 * The jump goes through a pointer at a low address, so that it reaches the landing area from
 * anywhere: seven bytes.  Two forms of code have the room, and between them nearly all that
 * compilers and C libraries make: the number of the call loaded right before, or the result
 * compared with a constant right behind.  What is displaced can be run anywhere, and by hand.
 *
 * Examining and building are pure.  The set belongs to an address space; one thread. */
#pragma once
#include "base/forward.h"

struct dh_regs;
struct dh_tracee;

enum dh_patch_form {
	DH_PATCH_NUMBER,         /* load the number; call */
	DH_PATCH_COMPARE,        /* call; compare the result */
	DH_PATCH_COMPARE_NARROW, /* call; compare the lower half of the result */
	DH_PATCH_FORMS,
};

struct dh_patch {
	uint64_t start; /* what is replaced, dh_patch_length() bytes */
	enum dh_patch_form form;
	int32_t constant; /* the number, or what the result is compared with */
	uint32_t index;   /* of the trampoline */
};

struct dh_patch_code {
	const uint8_t *bytes; /* the surroundings */
	size_t n;
	uint64_t start; /* address of bytes[0] */
};

/* Whether the call that ends at call_end, last seen to make call nr, can be replaced.  All but
 * the index of *ret is set.  0; -ENOTSUP: other code; -EBUSY: something branches into it. */
int dh_patch_examine(
	const struct dh_patch_code *code, uint64_t call_end, int64_t nr, struct dh_patch *ret);

#define DH_PATCH_MIN 7
#define DH_PATCH_MAX 8
unsigned dh_patch_length(const struct dh_patch *p);
/* Behind the call, in the program's own code and in the trampoline. */
uint64_t dh_patch_call_end(const struct dh_patch *p);
uint64_t dh_patch_trampoline_end(const struct dh_patch *p);

/* Writes trampoline and jump.  0, -EFAULT, or -EILSEQ when other code than expected is there. */
int dh_patch_apply(struct dh_tracee *t, const struct dh_patch *p);
/* Moves those whose code is what they expect to the front: how many. */
size_t dh_patch_select(struct dh_tracee *t, struct dh_patch *list, size_t n);
/* Writes many, which are known to have their code.  Their indexes follow each other. */
int dh_patch_apply_all(struct dh_tracee *t, const struct dh_patch *list, size_t n);
/* 1 when the jump is (still) there, 0 when not: the program has put other code in its place. */
int dh_patch_is_applied(struct dh_tracee *t, const struct dh_patch *p);

/* Registers behind the call (its result is there) become those behind the replaced code. */
void dh_patch_finish(const struct dh_patch *p, struct dh_regs *regs);
/* Registers at the start of the replaced code become those at the entry of the trampoline's call,
 * as a tracer sees them. */
void dh_patch_enter(const struct dh_patch *p, struct dh_regs *regs);
/* The other way, for a pc anywhere in the trampoline before its call is made, or in front of the
 * call's repetition: the number must be in place. */
void dh_patch_begin(const struct dh_patch *p, struct dh_regs *regs);

bool dh_patch_in_trampoline(uint64_t pc);

/* Sorted by address. */
struct dh_patches {
	struct dh_patch *items;
	size_t n, cap;
};

void dh_patches_release(struct dh_patches *s);
void dh_patches_copy(struct dh_patches *to, const struct dh_patches *from); /* to is empty */
/* -EEXIST when one is in the way, -ENOSPC when there are no more trampolines. */
int dh_patches_add(struct dh_patches *s, const struct dh_patch *p);
void dh_patches_remove(struct dh_patches *s, const struct dh_patch *p);
/* Borrowed, until the set is changed; NULL: none. */
const struct dh_patch *dh_patches_at(const struct dh_patches *s, uint64_t start);
const struct dh_patch *dh_patches_call_end(const struct dh_patches *s, uint64_t pc);
const struct dh_patch *dh_patches_trampoline(const struct dh_patches *s, uint64_t pc);
