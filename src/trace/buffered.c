/* Events of the buffer inside the program: what was patched, and what it recorded. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "trace/event.h"
#include "trace/reader.h"
#include "wire/buffer.h"

/* start, constant, index, form; little endian as everything here. */
#define PATCH_SIZE 20

void dh_ev_put_patch(struct dh_buf *out, const struct dh_ev_patch *e)
{
	uint32_t rest[] = {(uint32_t)e->constant, e->index, e->form};

	dh_buf_add(out, &e->start, sizeof(e->start));
	dh_buf_add(out, rest, sizeof(rest));
}

int dh_ev_get_patch(const struct dh_trace_event *ev, struct dh_ev_patch *ret)
{
	uint32_t rest[3];

	if (ev->len != PATCH_SIZE)
		return -EBADMSG;
	memcpy(&ret->start, ev->data, sizeof(ret->start));
	memcpy(rest, (const uint8_t *)ev->data + sizeof(ret->start), sizeof(rest));
	ret->constant = (int32_t)rest[0];
	ret->index = rest[1];
	ret->form = rest[2];
	return 0;
}

void dh_ev_put_buffer(struct dh_buf *out, const struct dh_ev_buffer *e)
{
	dh_buf_addc(out, (char)e->until);
	dh_buf_add(out, e->records, e->len);
}

int dh_ev_get_buffer(const struct dh_trace_event *ev, struct dh_ev_buffer *ret)
{
	struct dh_ev_buffered call;
	const uint8_t *at, *data = ev->data;
	int n;

	if (ev->len < 1 || data[0] >= DH_UNTIL_COUNT)
		return -EBADMSG;
	*ret = (struct dh_ev_buffer){
		.until = (enum dh_ev_until)data[0], .records = data + 1, .len = ev->len - 1};
	at = ret->records;
	while ((n = dh_ev_next_buffered(&at, ret->records + ret->len, &call)) > 0)
		ret->n++;
	return n;
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) & ~7ull;
}

int dh_ev_next_buffered_out(struct dh_ev_buffered *c, struct dh_ev_buffered_out *ret)
{
	struct dh_buffer_out o;
	uint64_t left = (uint64_t)(c->end - c->at);

	if (c->n_out == 0)
		return left ? -EBADMSG : 0;
	if (left < sizeof(o))
		return -EBADMSG;
	memcpy(&o, c->at, sizeof(o));
	c->at += sizeof(o);
	left -= sizeof(o);
	*ret = (struct dh_ev_buffered_out){.arg = (int)o.arg, .len = o.len};
	if (o.arg == DH_BUFFER_OUT_ADDRESS) {
		if (left < sizeof(ret->addr))
			return -EBADMSG;
		memcpy(&ret->addr, c->at, sizeof(ret->addr));
		c->at += sizeof(ret->addr);
		left -= sizeof(ret->addr);
		ret->arg = -1;
	}
	if (o.arg > DH_BUFFER_OUT_ADDRESS || padded(o.len) > left)
		return -EBADMSG;
	ret->data = c->at;
	c->at += padded(o.len);
	c->n_out--;
	return 1;
}

int dh_ev_next_buffered(const uint8_t **at, const uint8_t *end, struct dh_ev_buffered *ret)
{
	struct dh_ev_buffered_out out;
	struct dh_ev_buffered walk;
	struct dh_buffer_record r;
	uint64_t size;
	int n;

	if (*at == end)
		return 0;
	if ((size_t)(end - *at) < sizeof(r))
		return -EBADMSG;
	memcpy(&r, *at, sizeof(r));
	size = dh_buffer_size(&r);
	if (size < sizeof(r) || size > (uint64_t)(end - *at))
		return -EBADMSG;
	*ret = (struct dh_ev_buffered){.nr = r.nr_out & ((1 << DH_BUFFER_NR_BITS) - 1),
		.result = r.result,
		.n_out = r.nr_out >> DH_BUFFER_NR_BITS,
		.at = *at + sizeof(r),
		.end = *at + size};
	walk = *ret;
	while ((n = dh_ev_next_buffered_out(&walk, &out)) > 0)
		;
	*at += size;
	return n < 0 ? n : 1;
}
