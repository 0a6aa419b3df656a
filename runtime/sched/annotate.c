#include "sched/annotate.h"

#include "sched/pool.h"

struct range {
	uintptr_t address;
	size_t size;
};

static struct range *ranges;
static uint32_t nranges, ranges_cap;

void dh_benign_add(uintptr_t address, size_t size)
{
	if (!dh_self)
		return;
	for (uint32_t i = 0; i < nranges; i++) {
		if (ranges[i].address == address && ranges[i].size == size)
			return;
	}
	ranges = dh_pool_grow(ranges, &ranges_cap, nranges + 1, sizeof *ranges);
	ranges[nranges++] = (struct range){address, size};
}

bool dh_benign_has(uintptr_t address)
{
	for (uint32_t i = 0; i < nranges; i++) {
		if (address - ranges[i].address < ranges[i].size)
			return true;
	}
	return false;
}
