/* Pipes and sockets: what is written happens before who reads it, the end of all writers before who
 * finds the end, a connection before who accepts it (sections 5.1 and 5.2). */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "explore/builder.h"

bool dh_is_stream(const struct inode *i)
{
	return S_ISFIFO(i->mode) || S_ISSOCK(i->mode);
}

static struct stream *stream_new(struct builder *b)
{
	return dh_arena_alloc(&b->h->arena, sizeof(struct stream));
}

/* The two directions; of a pipe they are one. */
static void need_streams(struct builder *b, struct inode *i)
{
	if (!i->in)
		i->in = stream_new(b);
	if (!i->out)
		i->out = S_ISFIFO(i->mode) ? i->in : stream_new(b);
}

void dh_stream_pair(struct builder *b, uint32_t a, uint32_t c)
{
	need_streams(b, &b->inodes[a]);
	b->inodes[c].in = b->inodes[a].out;
	b->inodes[c].out = b->inodes[a].in;
}

static void add_pending(struct builder *b, struct inode *i)
{
	if (!i->pending)
		i->pending = dh_arena_alloc(&b->h->arena, sizeof(*i->pending));
	dh_vec_add(i->pending, b->now);
}

/* eventfd, inotify and the like: a counter or a queue that one read empties. */
static void take_pending(struct builder *b, struct inode *i)
{
	for (size_t k = 0; i->pending && k < i->pending->n; k++)
		dh_build_after(b, i->pending->v[k]);
	if (i->pending)
		i->pending->n = 0;
}

void dh_stream_write(struct builder *b, struct open_file *f, uint64_t n)
{
	struct inode *i = &b->inodes[f->inode];
	struct stream *s;

	if (!dh_is_stream(i)) {
		add_pending(b, i);
		return;
	}
	need_streams(b, i);
	s = i->out;
	DH_GROW(s->segments, s->n, s->cap);
	s->segments[s->n++] = (struct segment){s->written, s->written + n, b->now};
	s->written += n;
	dh_access_range(
		b, dh_inode_object(b, f->inode, INODE_TAIL), DH_HIST_STORE, 0, UINT64_MAX, false);
}

static void add_span(struct builder *b, uint32_t wakeup)
{
	struct dh_history *h = b->h;

	if (h->n_spans && h->spans[h->n_spans - 1].wait == b->now) {
		h->spans[h->n_spans - 1].wakeup = wakeup;
		return;
	}
	DH_GROW(h->spans, h->n_spans, b->cap_spans);
	h->spans[h->n_spans++] = (struct dh_hist_span){.wakeup = wakeup, .wait = b->now};
}

void dh_stream_read(struct builder *b, struct open_file *f, uint64_t n)
{
	struct inode *i = &b->inodes[f->inode];
	struct stream *s;
	uint64_t end;
	size_t begin;

	if (!dh_is_stream(i)) {
		take_pending(b, i);
		return;
	}
	need_streams(b, i);
	s = i->in;
	if (n == 0) {
		for (size_t k = 0; k < s->closers.n; k++)
			dh_build_after(b, s->closers.v[k]);
		return;
	}
	end = s->read + n;
	begin = s->first;
	while (s->first < s->n && s->segments[s->first].from < end) {
		if (s->first > begin)
			add_span(b, s->segments[s->first].call);
		dh_build_after(b, s->segments[s->first].call);
		if (s->segments[s->first].to > end)
			break;
		s->first++;
	}
	s->read = end;
	dh_access_range(
		b, dh_inode_object(b, f->inode, INODE_HEAD), DH_HIST_STORE, 0, UINT64_MAX, false);
}

void dh_stream_closed(struct builder *b, struct open_file *f)
{
	struct inode *i = f->inode == NONE ? NULL : &b->inodes[f->inode];

	if (!i || !dh_is_stream(i) || !f->writes)
		return;
	need_streams(b, i);
	if (!i->out->closers.n || i->out->closers.v[i->out->closers.n - 1] != b->now)
		dh_vec_add(&i->out->closers, b->now);
}

void dh_socket_bound(struct builder *b, uint32_t inode, const char *address)
{
	b->inodes[inode].address = dh_arena_strdup(&b->h->arena, address);
	dh_map_set(&b->addresses, dh_hash_text(address), inode);
}

void dh_socket_connect(struct builder *b, uint32_t inode, const char *address)
{
	uint64_t hash = dh_hash_text(address), server;
	struct vec *waiting = dh_map_getp(&b->connects, hash);

	need_streams(b, &b->inodes[inode]);
	if (dh_map_get(&b->addresses, hash, &server) && b->inodes[server].datagram) {
		need_streams(b, &b->inodes[server]);
		b->inodes[inode].out = b->inodes[server].in;
		return;
	}
	if (!waiting) {
		waiting = dh_arena_alloc(&b->h->arena, sizeof(*waiting));
		dh_map_setp(&b->connects, hash, waiting);
	}
	dh_vec_add(waiting, inode);
	dh_vec_add(waiting, b->now);
}

/* Connections are accepted in the order in which they were made. */
void dh_socket_accept(struct builder *b, uint32_t listener, uint32_t accepted)
{
	const char *address = b->inodes[listener].address;
	struct vec *waiting = address ? dh_map_getp(&b->connects, dh_hash_text(address)) : NULL;

	if (!waiting || waiting->n < 2)
		return;
	dh_stream_pair(b, waiting->v[0], accepted);
	dh_build_after(b, waiting->v[1]);
	waiting->n -= 2;
	memmove(waiting->v, waiting->v + 2, waiting->n * sizeof(*waiting->v));
}

static void release_stream(struct stream *s)
{
	if (!s)
		return;
	free(s->segments);
	s->segments = NULL;
	dh_vec_release(&s->closers);
}

void dh_streams_release(struct builder *b)
{
	for (size_t i = 0; i < b->n_inodes; i++) {
		release_stream(b->inodes[i].in);
		release_stream(b->inodes[i].out);
		if (b->inodes[i].pending)
			dh_vec_release(b->inodes[i].pending);
		dh_locks_release(&b->inodes[i]);
	}
	dh_map_foreach (slot, &b->connects)
		dh_vec_release((struct vec *)(uintptr_t)slot->value);
	free(b->inodes);
}
