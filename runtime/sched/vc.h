/* Vector clocks inside the program under test: like those of the tool (FastTrack's epochs are one
 * component of them), with components of 32 bits and in the runtime's own memory.
 * Components behind the end are zero.  Only the thread that has the turn may call. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct dh_vc {
	uint32_t *c;
	uint32_t n, cap;
};

void dh_vc_release(struct dh_vc *v);
void dh_vc_set(struct dh_vc *v, uint32_t slot, uint32_t time);
void dh_vc_copy(struct dh_vc *dst, const struct dh_vc *src);
/* dst becomes the least clock that is at or after both; true when that changed it. */
bool dh_vc_join(struct dh_vc *dst, const struct dh_vc *src);

static inline uint32_t dh_vc_get(const struct dh_vc *v, uint32_t slot)
{
	return slot < v->n ? v->c[slot] : 0;
}
