/* The ring: records written by a recording and used up by a replay. */
#include "buffer.h"

#include <asm/unistd.h>

void dh_buffer_dispatch(struct dh_buffer_frame *f);

/* Short ones by words; a repeated string move takes some 30 cycles to begin. */
static void copy(void *to, const void *from, uint64_t n)
{
	uint64_t *t = to;
	const uint64_t *s = from;

	if (n >= 128) {
		__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
		return;
	}
	for (; n >= 8; n -= 8)
		*t++ = *s++;
	for (uint64_t i = 0; i < n; i++)
		((uint8_t *)t)[i] = ((const uint8_t *)s)[i];
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~(uint64_t)7;
}

bool dh_ring_room(uint64_t outputs)
{
	uint64_t most = sizeof(struct dh_buffer_record) + padded(outputs) +
			DH_BUFFER_OUT_MAX * (sizeof(struct dh_buffer_out) + 16);

	if (outputs > DH_BUFFER_OUTPUT_MAX)
		return false;
	if (AREA->head + most > DH_BUFFER_RING_SIZE)
		dh_buffer_stop(DH_BUFFER_STOP_FULL, 0, 0, 0);
	return AREA->head + most <= DH_BUFFER_RING_SIZE;
}

void dh_ring_begin(struct dh_call *c, const struct dh_buffer_frame *f)
{
	c->arg = f->arg;
	c->nr = (unsigned)f->rax;
	c->at = NULL;
	c->n_out = 0;
	c->note = NULL;
}

static void add_head(struct dh_call *c, unsigned arg, uint64_t addr, uint64_t len)
{
	if (!c->at)
		c->at = RING + AREA->head + sizeof(struct dh_buffer_record);
	*(struct dh_buffer_out *)c->at = (struct dh_buffer_out){(uint32_t)len, arg};
	c->at += sizeof(struct dh_buffer_out);
	if (arg >= DH_BUFFER_OUT_ADDRESS) {
		*(uint64_t *)c->at = addr;
		c->at += 8;
	}
	c->n_out++;
}

static void add_out(struct dh_call *c, unsigned arg, uint64_t addr, uint64_t len)
{
	add_head(c, arg, addr, len);
	/* The last word first: what the bytes do not cover of it is zero, so that equal calls make
	 * equal records. */
	if (len & 7)
		*(uint64_t *)(c->at + (len & ~(uint64_t)7)) = 0;
	copy(c->at, (const void *)addr, len);
	c->at += padded(len);
}

void dh_ring_shown(struct dh_call *c, uint8_t class, uint64_t addr, uint64_t len)
{
	add_head(c, class == DH_BUFFER_FD_ERR ? DH_BUFFER_OUT_SHOWN_ERR : DH_BUFFER_OUT_SHOWN, addr,
		len);
}

void dh_ring_file(struct dh_call *c, uint64_t file)
{
	add_head(c, DH_BUFFER_OUT_FILE, file, 0);
}

void dh_ring_out(struct dh_call *c, unsigned arg, uint64_t len)
{
	if (len && c->arg[arg])
		add_out(c, arg, c->arg[arg], len);
}

void dh_ring_out_at(struct dh_call *c, uint64_t addr, uint64_t len)
{
	if (len && addr)
		add_out(c, DH_BUFFER_OUT_ADDRESS, addr, len);
}

static uint32_t check(unsigned nr, const uint64_t *arg, long result)
{
	uint64_t h = dh_buffer_arguments(arg, AREA->sp);

	return dh_buffer_check(h, dh_inputs(h, nr, arg, result));
}

void dh_ring_commit(const struct dh_call *c, long result)
{
	struct dh_buffer_record *r = (struct dh_buffer_record *)(RING + AREA->head);
	const uint8_t *end = c->at ? c->at : (const uint8_t *)(r + 1);

	uint64_t size = (uint64_t)(end - (const uint8_t *)r);

	r->words = (uint16_t)(size / 8);
	r->nr_out = (uint16_t)(c->nr | c->n_out << DH_BUFFER_NR_BITS);
	r->check = check(c->nr, c->arg, result);
	r->result = result;
	AREA->calls++;
	/* The record is whole before it counts: the process may be killed at any time. */
	__asm__ volatile("" ::: "memory");
	AREA->head += size;
}

static void diverged(uint32_t expected)
{
	AREA->expected = expected;
	dh_buffer_stop(DH_BUFFER_STOP_DIVERGED, 0, 0, 0);
}

/* What goes wrong on the way to the replay's own output is nothing to the program. */
static void show(uint64_t addr, uint64_t len, uint32_t which)
{
	int fd = which == DH_BUFFER_OUT_SHOWN ? 1 : 2;

	while (AREA->shows && len) {
		long r = dh_raw3(__NR_write, fd, addr, len);

		if (r <= 0 && r != ERR(EINTR))
			break;
		if (r > 0) {
			addr += (uint64_t)r;
			len -= (uint64_t)r;
		}
	}
	if (len)
		dh_buffer_stop(DH_BUFFER_STOP_SHOW, addr, len, which);
}

/* One output, when it is one to be shown or not; what follows it. */
static const uint8_t *replay_out(const uint64_t *arg, const uint8_t *at, bool showing)
{
	const struct dh_buffer_out *o = (const struct dh_buffer_out *)at;
	uint64_t addr;

	at += sizeof(*o);
	if (o->arg >= DH_BUFFER_OUT_ADDRESS) {
		addr = *(const uint64_t *)at;
		at += 8;
	} else {
		addr = arg[o->arg];
	}
	if (o->arg > DH_BUFFER_OUT_ADDRESS) {
		if (showing && o->arg != DH_BUFFER_OUT_FILE)
			show(addr, o->len, o->arg);
		return at;
	}
	if (!showing)
		copy((void *)addr, at, o->len);
	return at + padded(o->len);
}

static void put_outputs(const struct dh_buffer_record *r, const uint64_t *arg, bool showing)
{
	const uint8_t *at = (const uint8_t *)(r + 1);

	for (unsigned n = r->nr_out >> DH_BUFFER_NR_BITS; n; n--)
		at = replay_out(arg, at, showing);
}

/* The only output of mmap. */
static uint64_t mapped_file(const struct dh_buffer_record *r)
{
	const struct dh_buffer_out *o = (const struct dh_buffer_out *)(r + 1);

	return r->nr_out >> DH_BUFFER_NR_BITS ? *(const uint64_t *)(o + 1) : 0;
}

/* What the program gets in a replay: some calls are made for their effect. */
static long answer(unsigned nr, const uint64_t *arg, const struct dh_buffer_record *r)
{
	if (nr == __NR_mmap)
		return dh_mmap_again(arg, r->result, mapped_file(r));
	if (!dh_table_reruns(nr))
		return r->result;
	return dh_raw(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

static bool same_arguments(const struct dh_buffer_record *r, const uint64_t *arg)
{
	uint32_t other = r->check ^ dh_buffer_check(dh_buffer_arguments(arg, AREA->sp), 0);

	return !(other & DH_BUFFER_CHECK_ARGUMENTS);
}

bool dh_ring_replay(struct dh_buffer_frame *f)
{
	const struct dh_buffer_record *r;
	unsigned nr;

	/* The tracer may put more into it while we are stopped. */
	if (AREA->tail == AREA->head && AREA->trap_entry)
		dh_buffer_stop(DH_BUFFER_STOP_ENTRY, 0, 0, 0);
	if (AREA->tail == AREA->head)
		return false;
	r = (const struct dh_buffer_record *)(RING + AREA->tail);
	nr = r->nr_out & ((1u << DH_BUFFER_NR_BITS) - 1);
	if (nr != f->rax || !same_arguments(r, f->arg)) {
		diverged(nr == f->rax ? nr | DH_BUFFER_OTHER_ARGUMENTS : nr);
		return false;
	}
	put_outputs(r, f->arg, false);
	if (r->check != check(nr, f->arg, r->result))
		diverged(nr | DH_BUFFER_OTHER_DATA);
	put_outputs(r, f->arg, true);
	f->rax = (uint64_t)answer(nr, f->arg, r);
	AREA->calls++;
	AREA->tail += dh_buffer_size(r);
	if (AREA->tail == AREA->head && AREA->trap_empty)
		AREA->trap = 1;
	return true;
}

void dh_buffer_dispatch(struct dh_buffer_frame *f)
{
	bool done = false;

	if (AREA->mode == DH_BUFFER_RECORD)
		done = dh_table_record(f);
	else if (AREA->mode == DH_BUFFER_REPLAY)
		done = dh_ring_replay(f);
	if (!done)
		f->target -= 2;
}
