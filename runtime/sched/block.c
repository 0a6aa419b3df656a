#include "sched/block.h"

#include <sys/mman.h>

#include "common/syscall.h"

#define REGION      ((size_t)1 << 20)
#define REGIONS_MAX (1u << 16)
#define SMALL_MAX   ((size_t)256 << 10) /* with its header */
#define STEP        16u
#define FINE_MAX    1024u /* sizes up to here in steps of STEP, then four for each doubling */
#define FINE        (FINE_MAX / STEP)
#define CLASSES     (FINE + 4 * 8 + 1)
#define LARGE       255u
#define LARGE_REST  254u
#define PAGE        4096u
#define INVERSE     40

_Static_assert(sizeof(struct dh_block) == 32, "blocks keep the alignment of their regions");
_Static_assert(CLASSES < LARGE_REST, "classes have numbers of 8 bits");

/* Blocks of one size: those that may be taken again, and the rest of the newest region. */
struct class
{
	size_t size;
	uint64_t inverse; /* (offset * inverse) >> INVERSE is offset / size for offsets in a region
			   */
	uint32_t spare;
	uintptr_t fresh, end;
};

uintptr_t dh_blocks_base;
static uint32_t nregions, regions_max;
static uint8_t region_class[REGIONS_MAX]; /* plus one; LARGE, LARGE_REST */
static uint32_t region_run[REGIONS_MAX];  /* LARGE: how many; LARGE_REST: where it begins */
static struct class classes[CLASSES];
static uint32_t large_spare; /* list of large blocks */

void dh_blocks_start(void *heap, size_t size)
{
	size_t step = FINE_MAX / 4, at = FINE_MAX;

	dh_blocks_base = (uintptr_t)heap;
	nregions = 0;
	large_spare = 0;
	regions_max = size / REGION < REGIONS_MAX ? (uint32_t)(size / REGION) : REGIONS_MAX;
	for (uint32_t i = 0; i < CLASSES; i++) {
		if (i > FINE && (i - FINE) % 4 == 0)
			step *= 2;
		at = i < FINE ? (i + 1) * STEP : at + step;
		classes[i] = (struct class){
			.size = at, .inverse = ((UINT64_C(1) << INVERSE) + at - 1) / at};
	}
}

static uint32_t class_of(size_t size)
{
	uint32_t i = FINE;

	if (size <= FINE_MAX)
		return (uint32_t)((size + STEP - 1) / STEP - 1);
	while (classes[i].size < size)
		i++;
	return i;
}

static uint32_t region_of(const struct dh_block *b)
{
	return (uint32_t)(((uintptr_t)b - dh_blocks_base) / REGION);
}

static size_t block_bytes(const struct dh_block *b)
{
	uint32_t r = region_of(b);

	return region_class[r] == LARGE ? region_run[r] * REGION
					: classes[region_class[r] - 1].size;
}

size_t dh_block_room(const struct dh_block *b)
{
	return block_bytes(b) - b->offset;
}

static struct dh_block *take_small(size_t need)
{
	uint32_t i = class_of(need);
	struct class *c = &classes[i];
	struct dh_block *b = dh_block_numbered(c->spare);

	if (b) {
		c->spare = b->next;
		return b;
	}
	if (c->end - c->fresh < c->size) {
		if (nregions == regions_max)
			return NULL;
		region_class[nregions] = (uint8_t)(i + 1);
		c->fresh = dh_blocks_base + nregions++ * REGION;
		c->end = c->fresh + REGION;
	}
	b = (struct dh_block *)c->fresh;
	c->fresh += c->size;
	return b;
}

static void protect(const struct dh_block *b, long how)
{
	size_t bytes = block_bytes(b) - PAGE;

	rt_syscall3(SYS_mprotect, (uintptr_t)b + PAGE, bytes, how);
}

void dh_block_shut(struct dh_block *b)
{
	rt_syscall3(SYS_madvise, (uintptr_t)b + PAGE, block_bytes(b) - PAGE, MADV_DONTNEED);
	protect(b, PROT_NONE);
}

size_t dh_block_stale(const struct dh_block *b)
{
	if (!b->large)
		return b->size;
	return b->offset >= PAGE ? 0 : b->size < PAGE - b->offset ? b->size : PAGE - b->offset;
}

static struct dh_block *take_spare_large(uint32_t run)
{
	struct dh_block *before = NULL;

	for (struct dh_block *b = dh_block_numbered(large_spare); b;
		before = b, b = dh_block_next(b)) {
		if (region_run[region_of(b)] != run)
			continue;
		if (before)
			before->next = b->next;
		else
			large_spare = b->next;
		protect(b, PROT_READ | PROT_WRITE);
		return b;
	}
	return NULL;
}

static struct dh_block *take_large(size_t need)
{
	size_t run = (need + REGION - 1) / REGION;
	struct dh_block *b = take_spare_large((uint32_t)run);
	uint32_t first = nregions;

	if (b)
		return b;
	if (run > regions_max - nregions)
		return NULL;
	region_class[first] = LARGE;
	region_run[first] = (uint32_t)run;
	for (uint32_t i = 1; i < run; i++) {
		region_class[first + i] = LARGE_REST;
		region_run[first + i] = first;
	}
	nregions += (uint32_t)run;
	return (struct dh_block *)(dh_blocks_base + first * REGION);
}

struct dh_block *dh_block_take(size_t size, size_t align)
{
	size_t head = sizeof(struct dh_block), need;
	struct dh_block *b;

	if (size >= (size_t)regions_max * REGION || align > (size_t)1 << 30)
		return NULL;
	need = size + head + (align > STEP ? align : 0);
	if (need < head + STEP)
		need = head + STEP;
	b = need > SMALL_MAX ? take_large(need) : take_small(need);
	if (!b)
		return NULL;
	b->offset = (uint32_t)head;
	if (align > STEP)
		b->offset = (uint32_t)((((uintptr_t)b + head + align - 1) & ~(align - 1)) -
				       (uintptr_t)b);
	b->size = size;
	b->state = DH_BLOCK_LIVE;
	b->large = need > SMALL_MAX;
	b->next = 0;
	return b;
}

void dh_block_give(struct dh_block *b)
{
	uint32_t r = region_of(b);
	uint32_t *list = &large_spare;

	if (region_class[r] != LARGE)
		list = &classes[region_class[r] - 1].spare;
	b->state = DH_BLOCK_FREE;
	b->next = *list;
	*list = dh_block_number(b);
}

struct dh_block *dh_block_at(uintptr_t address)
{
	uint32_t r = (uint32_t)((address - dh_blocks_base) / REGION);
	uintptr_t start;
	const struct class *c;

	if (r >= nregions)
		return NULL;
	if (region_class[r] == LARGE_REST)
		r = region_run[r];
	start = dh_blocks_base + r * REGION;
	if (region_class[r] == LARGE)
		return (struct dh_block *)start;
	c = &classes[region_class[r] - 1];
	start += ((address - start) * c->inverse >> INVERSE) * c->size;
	if (start >= c->fresh && start < c->end)
		return NULL;
	return start + c->size <= dh_blocks_base + (r + 1) * REGION ? (struct dh_block *)start
								    : NULL;
}
