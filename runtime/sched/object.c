/* Synchronisation objects by address. */
#include "sched/core.h"

#include "common/mem.h"
#include "sched/detect.h"

#define BUCKETS       4096
#define PAGE_FILTER   4096
#define PAGES_SCANNED 64

static struct {
	struct dh_object *bucket[BUCKETS];
	struct dh_object *spare;
	/* How many objects there are in pages of this hash: most frees need not look further. */
	uint32_t pages[PAGE_FILTER];
} objects;

static uint32_t bucket_of(uint64_t address)
{
	return (uint32_t)((address >> 3) * 0x9e3779b97f4a7c15ull >> 52) % BUCKETS;
}

static uint32_t *page_of(uint64_t address)
{
	return &objects.pages[(address >> 12) % PAGE_FILTER];
}

static struct dh_object *make(uint64_t address, enum dh_object_kind kind)
{
	struct dh_object *obj = objects.spare;
	struct dh_object **head = &objects.bucket[bucket_of(address)];

	if (obj)
		objects.spare = obj->chain;
	else
		obj = rt_alloc(sizeof(*obj));
	if (!obj)
		dh_end_give_up("no memory is left for synchronisation objects");
	*obj = (struct dh_object){
		.address = address,
		.id = ++dh_ctl->result.nobjects,
		.kind = (uint8_t)kind,
		.chain = *head,
	};
	*head = obj;
	++*page_of(address);
	return obj;
}

static void drop(struct dh_object **link)
{
	struct dh_object *obj = *link;

	dh_detect_object_gone(obj);
	*link = obj->chain;
	--*page_of(obj->address);
	/* Somebody may still wait for it; then it is no longer found, but stays as it is. */
	if (obj->first_waiter || obj->owner || obj->readers)
		return;
	obj->chain = objects.spare;
	objects.spare = obj;
}

struct dh_object *dh_object_get(const volatile void *at, enum dh_object_kind kind)
{
	uint64_t address = (uint64_t)(uintptr_t)at;
	struct dh_object **link = &objects.bucket[bucket_of(address)];

	for (; *link; link = &(*link)->chain) {
		if ((*link)->address != address)
			continue;
		if (dh_likely((*link)->kind == kind))
			return *link;
		drop(link);
		break;
	}
	return make(address, kind);
}

void dh_object_destroy(const volatile void *at)
{
	uint64_t address = (uint64_t)(uintptr_t)at;
	struct dh_object **link = &objects.bucket[bucket_of(address)];

	for (; *link; link = &(*link)->chain) {
		if ((*link)->address == address) {
			drop(link);
			return;
		}
	}
}

void dh_object_touch(const void *at, uintptr_t pc)
{
	if (dh_unlikely(dh_watched(pc)))
		dh_sched_at_statement(pc, at, 1, DH_SCHED_WRITE);
	dh_detect_object(dh_self, (uint64_t)(uintptr_t)at, true, pc);
}

void dh_object_renew(const void *at, uintptr_t pc)
{
	dh_object_touch(at, pc);
	dh_object_destroy(at);
}

static void drop_range(uint32_t bucket, uint64_t low, uint64_t high)
{
	struct dh_object **link = &objects.bucket[bucket];

	while (*link) {
		if ((*link)->address >= low && (*link)->address < high)
			drop(link);
		else
			link = &(*link)->chain;
	}
}

void dh_object_memory_gone(const volatile void *at, size_t size)
{
	uint64_t low = (uint64_t)(uintptr_t)at, high = low + size;
	bool any = (high - low) >> 12 >= PAGES_SCANNED;

	if (size == 0 || dh_ctl->result.nobjects == 0)
		return;
	for (uint64_t p = low & ~4095ull; p < high && !any; p += 4096)
		any = *page_of(p) > 0;
	if (!any)
		return;
	if (size <= 512) {
		for (uint64_t p = low & ~7ull; p < high; p += 8)
			drop_range(bucket_of(p), low, high);
		return;
	}
	for (uint32_t i = 0; i < BUCKETS; i++)
		drop_range(i, low, high);
}

void dh_object_wait(struct dh_object *obj, struct dh_task *t)
{
	t->next_waiter = NULL;
	t->prev_waiter = obj->last_waiter;
	if (obj->last_waiter)
		obj->last_waiter->next_waiter = t;
	else
		obj->first_waiter = t;
	obj->last_waiter = t;
}

void dh_object_unwait(struct dh_object *obj, struct dh_task *t)
{
	if (t->prev_waiter)
		t->prev_waiter->next_waiter = t->next_waiter;
	else
		obj->first_waiter = t->next_waiter;
	if (t->next_waiter)
		t->next_waiter->prev_waiter = t->prev_waiter;
	else
		obj->last_waiter = t->prev_waiter;
	t->next_waiter = t->prev_waiter = NULL;
}

void dh_object_wake_all(struct dh_object *obj)
{
	for (struct dh_task *t = obj->first_waiter; t; t = t->next_waiter)
		dh_wake(t, DH_WAKE_EVENT);
}

void dh_object_block_again(struct dh_object *obj, bool only_writers)
{
	for (struct dh_task *t = obj->first_waiter; t; t = t->next_waiter)
		if (!only_writers || t->next.op == DH_OP_WRLOCK)
			dh_unwake(t);
}
