#include "isa/emit.h"

#include <errno.h>
#include <string.h>

void dh_emit_bytes(struct dh_emit *e, const void *p, size_t n)
{
	if (e->n > e->size || n > e->size - e->n) {
		if (!e->error)
			e->error = -ENOSPC;
	} else {
		memcpy(e->out + e->n, p, n);
	}
	e->n += n;
}

void dh_emit_u8(struct dh_emit *e, uint8_t v)
{
	dh_emit_bytes(e, &v, sizeof(v));
}

void dh_emit_u32(struct dh_emit *e, uint32_t v)
{
	dh_emit_bytes(e, &v, sizeof(v));
}

void dh_emit_u64(struct dh_emit *e, uint64_t v)
{
	dh_emit_bytes(e, &v, sizeof(v));
}

uint64_t dh_emit_here(const struct dh_emit *e)
{
	return e->at + e->n;
}

bool dh_emit_reaches(uint64_t end, uint64_t target)
{
	int64_t distance = (int64_t)(target - end);

	return distance == (int32_t)distance;
}

void dh_emit_distance(struct dh_emit *e, uint64_t target, size_t behind)
{
	uint64_t end = dh_emit_here(e) + 4 + behind;

	if (!dh_emit_reaches(end, target) && !e->error)
		e->error = -ERANGE;
	dh_emit_u32(e, (uint32_t)(target - end));
}

void dh_emit_jump(struct dh_emit *e, uint64_t target)
{
	if (dh_emit_reaches(dh_emit_here(e) + DH_EMIT_JUMP_NEAR, target)) {
		dh_emit_u8(e, 0xe9);
		dh_emit_distance(e, target, 0);
		return;
	}
	dh_emit_code(e, "\xff\x25\0\0\0\0"); /* jmp [rip+0] */
	dh_emit_u64(e, target);
}
