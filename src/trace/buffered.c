/* Events of the buffer inside the program: what was patched, and what it recorded. */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

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

void dh_ev_buffer_parts(const struct dh_ev_buffer *e, uint8_t *head, struct iovec *ret)
{
	*head = (uint8_t)e->until;
	ret[0] = (struct iovec){head, sizeof(*head)};
	ret[1] = (struct iovec){(void *)e->records, e->len};
}

static bool shows(struct dh_ev_buffered call)
{
	struct dh_ev_buffered_out o;

	return dh_ev_next_buffered_out(&call, &o) > 0 && o.shown;
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
	while ((n = dh_ev_next_buffered(&at, ret->records + ret->len, &call)) > 0) {
		ret->n++;
		ret->shows |= shows(call);
	}
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
	if (o.arg >= DH_BUFFER_OUT_ADDRESS) {
		if (left < sizeof(ret->addr))
			return -EBADMSG;
		memcpy(&ret->addr, c->at, sizeof(ret->addr));
		c->at += sizeof(ret->addr);
		left -= sizeof(ret->addr);
		ret->arg = -1;
	}
	c->n_out--;
	if (o.arg == DH_BUFFER_OUT_SHOWN || o.arg == DH_BUFFER_OUT_SHOWN_ERR) {
		ret->shown = o.arg == DH_BUFFER_OUT_SHOWN ? DH_EV_ECHO_OUT : DH_EV_ECHO_ERR;
		return 1;
	}
	if (o.arg == DH_BUFFER_OUT_FILE) {
		ret->file = true;
		return 1;
	}
	if (o.arg > DH_BUFFER_OUT_ADDRESS || padded(o.len) > left)
		return -EBADMSG;
	ret->data = c->at;
	c->at += padded(o.len);
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
