/* Private to this folder: writes machine code for a given address into a buffer.
 * Running out of room or of reach is remembered, so that callers check once, at the end. */
#pragma once
#include "base/forward.h"

struct dh_emit {
	uint8_t *out;
	size_t size;
	size_t n;    /* bytes written, or wanted when there is no room */
	uint64_t at; /* where out[0] will lie */
	int error;   /* 0, -ENOSPC or -ERANGE; the first one stays */
};

#define DH_EMIT_JUMP_NEAR     5
#define DH_EMIT_JUMP_ABSOLUTE 14

void dh_emit_bytes(struct dh_emit *e, const void *p, size_t n);
#define dh_emit_code(e, literal) dh_emit_bytes((e), (literal), sizeof(literal) - 1)
void dh_emit_u8(struct dh_emit *e, uint8_t v);
void dh_emit_u32(struct dh_emit *e, uint32_t v);
void dh_emit_u64(struct dh_emit *e, uint64_t v);
/* The 32-bit distance to target, for an instruction that ends `behind` bytes after this field. */
void dh_emit_distance(struct dh_emit *e, uint64_t target, size_t behind);
/* A jump of the shortest sufficient form. */
void dh_emit_jump(struct dh_emit *e, uint64_t target);
/* Where the next byte will lie. */
uint64_t dh_emit_here(const struct dh_emit *e);
/* A distance of 32 bits leads from the end of an instruction to target. */
bool dh_emit_reaches(uint64_t end, uint64_t target);
