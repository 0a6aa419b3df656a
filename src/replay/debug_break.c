/* Breakpoints and watchpoints in the memory of the attached process. */
#include "replay/debug.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "proc/hwbreak.h"
#include "replay/replayer.h"

#define BREAKS_MAX 65536
#define TRAP       0xccu

static void put_in(struct debug_break *b, struct dh_replay_task *t)
{
	const uint8_t trap = TRAP;
	uint8_t byte;

	if (dh_tracee_read(&t->t, b->addr, &byte, 1) < 0 ||
		dh_tracee_write(&t->t, b->addr, &trap, 1) < 0)
		return;
	b->byte = byte;
	b->in = true;
}

/* What is there now may be another mapping: only our own byte is replaced. */
static void take_out(struct debug_break *b, struct dh_replay_task *t)
{
	uint8_t byte;

	if (b->in && dh_tracee_read(&t->t, b->addr, &byte, 1) == 0 && byte == TRAP)
		dh_tracee_write(&t->t, b->addr, &b->byte, 1);
	b->in = false;
}

void debug_insert(struct dh_debug *d, struct dh_replay_task *t)
{
	if (!d->some_out)
		return;
	for (size_t i = 0; i < d->n_breaks; i++) {
		if (!d->breaks[i].in)
			put_in(&d->breaks[i], t);
	}
	d->some_out = false;
}

void dh_debug_lift(struct dh_replay *r, struct dh_replay_task *t, uint64_t addr, uint64_t len)
{
	struct dh_debug *d = r->debug;

	if (!d || t->vm != d->vm)
		return;
	for (size_t i = 0; i < d->n_breaks; i++) {
		if (!d->breaks[i].in || d->breaks[i].addr - addr >= len)
			continue;
		take_out(&d->breaks[i], t);
		d->some_out = true;
	}
}

bool dh_debug_breaks(
	const struct dh_replay *r, const struct dh_replay_task *t, uint64_t addr, uint64_t len)
{
	const struct dh_debug *d = r->debug;

	if (!d || t->vm != d->vm)
		return false;
	for (size_t i = 0; i < d->n_breaks; i++) {
		if (d->breaks[i].addr - addr < len)
			return true;
	}
	return false;
}

struct debug_break *debug_find_break(struct dh_debug *d, uint64_t addr)
{
	for (size_t i = 0; i < d->n_breaks; i++) {
		if (d->breaks[i].addr == addr)
			return &d->breaks[i];
	}
	return NULL;
}

int debug_add_break(struct dh_debug *d, struct dh_replay_task *t, uint64_t addr)
{
	struct debug_break b = {.addr = addr};

	if (debug_find_break(d, addr))
		return 0;
	if (d->n_breaks == BREAKS_MAX)
		return -ENOSPC;
	put_in(&b, t);
	if (!b.in)
		return -EFAULT;
	DH_GROW(d->breaks, d->n_breaks, d->cap_breaks);
	d->breaks[d->n_breaks++] = b;
	return 0;
}

void debug_remove_break(struct dh_debug *d, struct dh_replay_task *t, uint64_t addr)
{
	struct debug_break *b = debug_find_break(d, addr);

	if (!b)
		return;
	take_out(b, t);
	*b = d->breaks[--d->n_breaks];
}

size_t debug_read(
	struct dh_debug *d, struct dh_replay_task *t, uint64_t addr, uint8_t *ret, size_t n)
{
	ssize_t got = dh_tracee_read_some(&t->t, addr, ret, n);

	/* Pages that the program itself may not read, such as the guard of a stack. */
	if (got <= 0 && dh_tracee_read(&t->t, addr, ret, n) == 0)
		got = (ssize_t)n;
	if (got <= 0)
		return 0;
	for (size_t i = 0; i < d->n_breaks; i++) {
		const struct debug_break *b = &d->breaks[i];

		if (b->in && b->addr - addr < (uint64_t)got)
			ret[b->addr - addr] = b->byte;
	}
	return (size_t)got;
}

/* The hardware watches 1, 2, 4 or 8 bytes, aligned. */
static unsigned piece_of(uint64_t addr, uint64_t len)
{
	unsigned size = 8;

	while (size > len || addr % size)
		size /= 2;
	return size;
}

static struct debug_watch *free_watch(struct dh_debug *d)
{
	for (int i = 0; i < DH_DEBUG_WATCHES; i++) {
		if (!d->watches[i].type)
			return &d->watches[i];
	}
	return NULL;
}

int debug_add_watch(
	struct dh_debug *d, struct dh_replay_task *t, char type, uint64_t addr, uint64_t len)
{
	int e = 0;

	if (type == '1')
		len = 1;
	if (len == 0 || len > 8 * DH_DEBUG_WATCHES)
		return -ENOSPC;
	for (uint64_t done = 0; done < len && e == 0;) {
		struct debug_watch *w = free_watch(d);

		if (!w) {
			e = -ENOSPC;
			break;
		}
		*w = (struct debug_watch){.type = type,
			.addr = addr + done,
			.len = piece_of(addr + done, len - done),
			.whole_addr = addr,
			.whole_len = len};
		done += w->len;
	}
	d->watch_version++;
	if (e == 0)
		e = debug_sync_watches(d, t);
	if (e < 0)
		debug_remove_watch(d, type, addr, len);
	else
		debug_watch_update(d, t);
	return e;
}

void debug_remove_watch(struct dh_debug *d, char type, uint64_t addr, uint64_t len)
{
	if (type == '1')
		len = 1;
	for (int i = 0; i < DH_DEBUG_WATCHES; i++) {
		struct debug_watch *w = &d->watches[i];

		if (w->type == type && w->whole_addr == addr && w->whole_len == len)
			w->type = 0;
	}
	d->watch_version++;
}

int debug_sync_watches(struct dh_debug *d, struct dh_replay_task *t)
{
	int e = 0;

	if (t->watch_version == d->watch_version)
		return 0;
	for (int i = 0; i < DH_DEBUG_WATCHES && e == 0; i++) {
		const struct debug_watch *w = &d->watches[i];

		if (!w->type)
			e = dh_hwbreak_clear(&t->t, i + 1);
		else
			e = dh_hwbreak_set(&t->t, i + 1,
				w->type == '1'   ? DH_HWBREAK_EXEC
				: w->type == '2' ? DH_HWBREAK_WRITE
						 : DH_HWBREAK_ACCESS,
				w->addr, w->len);
	}
	if (e == 0)
		t->watch_version = d->watch_version;
	return e;
}

const struct debug_watch *debug_watch_hit(
	struct dh_debug *d, struct dh_replay_task *t, bool *ret_other)
{
	unsigned hits = 0;

	dh_hwbreak_hits(&t->t, &hits);
	*ret_other = hits & 1;
	for (int i = 0; i < DH_DEBUG_WATCHES; i++) {
		if ((hits & 2u << i) && d->watches[i].type)
			return &d->watches[i];
	}
	return NULL;
}

static bool watches_value(const struct debug_watch *w)
{
	return w->type == '2' || w->type == '4';
}

const struct debug_watch *debug_watch_changed(struct dh_debug *d, struct dh_replay_task *t)
{
	for (int i = 0; i < DH_DEBUG_WATCHES; i++) {
		const struct debug_watch *w = &d->watches[i];
		uint64_t now = 0;

		if (watches_value(w) &&
			debug_read(d, t, w->addr, (uint8_t *)&now, w->len) == w->len &&
			now != w->value)
			return w;
	}
	return NULL;
}

void debug_watch_update(struct dh_debug *d, struct dh_replay_task *t)
{
	for (int i = 0; i < DH_DEBUG_WATCHES; i++) {
		struct debug_watch *w = &d->watches[i];

		w->value = 0;
		if (watches_value(w))
			debug_read(d, t, w->addr, (uint8_t *)&w->value, w->len);
	}
}
