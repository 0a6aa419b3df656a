#include "sched/segment.h"

#include <stddef.h>

#include "sched/pool.h"

struct dh_segment *dh_segments;
static uint32_t count;

bool dh_segments_start(void)
{
	if (!dh_segments)
		dh_segments =
			dh_pool_reserve(NULL, (size_t)(DH_SEGMENT_MAX + 1) * sizeof *dh_segments);
	count = 0;
	return dh_segments != NULL;
}

uint32_t dh_segment_number(struct dh_segment_cache *cache, const struct dh_segment *s)
{
	uint32_t at;

	if (cache->clock != s->clock)
		cache->n = 0;
	cache->clock = s->clock;
	for (uint32_t i = 0; i < cache->n && i < DH_SEGMENT_RECENT; i++) {
		if (cache->lockset[i] == s->lockset)
			return cache->number[i];
	}
	if (count == DH_SEGMENT_MAX)
		return 0;
	dh_segments[++count] = *s;
	at = cache->n++ % DH_SEGMENT_RECENT;
	cache->lockset[at] = s->lockset;
	cache->number[at] = count;
	return count;
}

void dh_segments_reset(void)
{
	dh_pool_forget(dh_segments, (size_t)(count + 1) * sizeof *dh_segments);
	count = 0;
}
