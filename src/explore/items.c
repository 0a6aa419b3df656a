#include "explore/items.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "explore/history.h"
#include "proc/frame.h"
#include "sysmodel/effects.h"
#include "trace/call.h"
#include "trace/event.h"
#include "trace/reader.h"

#define CALLS_MAX 50000000u /* numbers of calls are 32 bits wide */
#define GIVEN_MAX (1u << 20)

struct loader {
	struct items *items;
	struct dh_arena *arena;
	struct dh_strset strings; /* most paths come again and again */
	const char **kept;        /* by their number, in the arena */
	size_t n_kept, cap_kept;
	struct dh_map clones; /* task -> its last clone item + 1 */
	struct dh_map ends;   /* task -> its call of exit */
	struct dh_map ended;  /* tasks */
	/* What the calls of the last events wrote; their descriptions come next. */
	struct {
		int64_t nr;
		size_t at, len; /* in bytes */
	} * wrote;
	size_t n_wrote, cap_wrote, next_wrote;
	struct dh_buf bytes;
	uint32_t wrote_task; /* whose they were; UINT32_MAX: nobody's */
	uint16_t last_kind;  /* of event */
};

static struct item *add(struct loader *l, const struct dh_trace_event *ev, enum item_kind kind)
{
	struct items *s = l->items;

	DH_GROW(s->items, s->n, s->cap);
	s->items[s->n] = (struct item){
		.time = 2 * ev->seq + 1, .seq = ev->seq, .kind = kind, .task = ev->task};
	return &s->items[s->n++];
}

static const char *keep(struct loader *l, const char *s)
{
	uint32_t id;

	if (!s[0])
		return "";
	id = dh_strset_add(&l->strings, s);
	if (id == l->n_kept) {
		DH_GROW(l->kept, l->n_kept, l->cap_kept);
		l->kept[l->n_kept++] = dh_arena_strdup(l->arena, s);
	}
	return l->kept[id];
}

static const struct dh_ev_call *copy(struct loader *l, const struct dh_ev_call *from)
{
	struct dh_ev_call *c = dh_arena_memdup(l->arena, from, sizeof(*c));

	c->text = from->text[0] ? dh_arena_strdup(l->arena, from->text) : "";
	for (uint32_t i = 0; i < c->n_refs; i++) {
		c->refs[i].path = keep(l, from->refs[i].path);
		c->refs[i].given = keep(l, from->refs[i].given);
	}
	return c;
}

/* Whether others may go on before the call is over. */
static bool wakes(const struct dh_ev_call *c)
{
	const struct dh_ev_ref *fd = dh_ev_call_ref(c, DH_REF_FD);
	int command = (int)c->arg[1] & FUTEX_CMD_MASK;

	switch (c->nr) {
	case SYS_flock:
		return c->arg[1] & LOCK_UN;
	case SYS_fcntl:
		return c->text[0] == 'U';
	case SYS_futex:
		return command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET;
	case SYS_semop:
	case SYS_semtimedop:
		return false;
	default:
		return (dh_sysmodel_effects(c->nr)->flags & DH_SYS_WAKES) &&
		       !(fd && S_ISREG(fd->mode) && c->nr != SYS_close);
	}
}

static bool is_clone(int64_t nr)
{
	return nr == SYS_clone || nr == SYS_clone3 || nr == SYS_fork || nr == SYS_vfork;
}

/* Calls through which the world outside comes in, perhaps. */
static bool gives(int64_t nr)
{
	return nr == SYS_getrandom || nr == SYS_read || nr == SYS_time || nr == SYS_gettimeofday ||
	       nr == SYS_clock_gettime;
}

static void begin_wrote(struct loader *l, const struct dh_trace_event *ev)
{
	dh_buf_clear(&l->bytes);
	l->n_wrote = l->next_wrote = 0;
	l->wrote_task = ev->task;
}

static void add_wrote(struct loader *l, int64_t nr)
{
	DH_GROW(l->wrote, l->n_wrote, l->cap_wrote);
	l->wrote[l->n_wrote].nr = nr;
	l->wrote[l->n_wrote].at = l->bytes.len;
	l->wrote[l->n_wrote++].len = 0;
}

static void add_bytes(struct loader *l, const void *p, uint64_t n)
{
	if (l->wrote[l->n_wrote - 1].len + n > GIVEN_MAX)
		return;
	dh_buf_add(&l->bytes, p, n);
	l->wrote[l->n_wrote - 1].len += n;
}

/* What only calls with a description get is looked at when that comes: right behind. */
static int on_syscall(struct loader *l, const struct dh_trace_event *ev)
{
	struct dh_ev_syscall e;
	struct dh_ev_write w;
	int r = dh_ev_get_syscall(ev, &e);

	if (r < 0)
		return r;
	begin_wrote(l, ev);
	if (!gives(e.nr))
		return 0;
	add_wrote(l, e.nr);
	while ((r = dh_ev_next_write(&e.writes, &w)) > 0)
		add_bytes(l, w.data, w.len);
	return r;
}

/* Calls that did not stop; several such events may stand before the descriptions. */
static int on_buffer(struct loader *l, const struct dh_trace_event *ev, bool more)
{
	struct dh_ev_buffered_out out;
	struct dh_ev_buffered c;
	struct dh_ev_buffer e;
	const uint8_t *at;
	int r = dh_ev_get_buffer(ev, &e);

	if (r < 0)
		return r;
	if (!more || l->wrote_task != ev->task)
		begin_wrote(l, ev);
	at = e.records;
	while ((r = dh_ev_next_buffered(&at, e.records + e.len, &c)) > 0) {
		if (!gives(c.nr))
			continue;
		add_wrote(l, c.nr);
		while (dh_ev_next_buffered_out(&c, &out) > 0)
			if (out.data)
				add_bytes(l, out.data, out.len);
	}
	return r;
}

/* The next one of these, or -1. */
static ssize_t take_wrote(struct loader *l, uint32_t task, int64_t nr)
{
	if (l->wrote_task != task || !gives(nr))
		return -1;
	while (l->next_wrote < l->n_wrote) {
		size_t i = l->next_wrote++;

		if (l->wrote[i].nr == nr)
			return (ssize_t)i;
	}
	return -1;
}

static bool is_random(const struct dh_ev_ref *fd)
{
	return fd &&
	       ((S_ISCHR(fd->mode) && (fd->rdev == makedev(1, 8) || fd->rdev == makedev(1, 9))) ||
		       strcmp(fd->path, "/proc/sys/kernel/random/uuid") == 0);
}

static bool tells_the_time(const struct dh_ev_call *c)
{
	return c->nr == SYS_time || c->nr == SYS_gettimeofday || c->nr == SYS_clock_gettime;
}

static const struct dh_hist_given *given_to(
	struct loader *l, uint32_t task, const struct dh_ev_call *c)
{
	bool random = c->nr == SYS_getrandom ||
		      (c->nr == SYS_read && is_random(dh_ev_call_ref(c, DH_REF_FD)));
	ssize_t i = take_wrote(l, task, c->nr);
	struct dh_hist_given *g;
	size_t n;

	if (i < 0 || c->result < 0 || (!random && !tells_the_time(c)))
		return NULL;
	n = l->wrote[i].len;
	if (random && n != (uint64_t)c->result)
		return NULL;
	g = dh_arena_alloc(l->arena, sizeof(*g) + n);
	g->time = !random;
	g->result = c->result;
	g->n = (uint32_t)n;
	if (n)
		memcpy(g->bytes, l->bytes.data + l->wrote[i].at, n);
	return g;
}

static int on_call(struct loader *l, const struct dh_trace_event *ev)
{
	const struct dh_ev_call *c;
	struct dh_ev_call e;
	struct item *it;
	uint64_t clone;

	if (dh_ev_get_call(ev, &e) < 0)
		return -EBADMSG;
	c = copy(l, &e);
	l->items->n_described++;
	if (c->nr == SYS_exit || c->nr == SYS_exit_group) {
		dh_map_setp(&l->ends, ev->task, (void *)(uintptr_t)c);
		return 0;
	}
	if (is_clone(c->nr) && dh_map_get(&l->clones, ev->task, &clone)) {
		l->items->items[clone - 1].ev = c;
		dh_map_del(&l->clones, ev->task);
		return 0;
	}
	it = add(l, ev, ITEM_CALL);
	it->ev = c;
	it->given = given_to(l, ev->task, c);
	if (c->left && c->left <= ev->seq) {
		it->time = 2 * c->left;
		it->nth = c->left_nth;
	}
	if (wakes(c) && 2 * c->entered <= it->time) {
		it->time = 2 * c->entered;
		it->nth = c->entered_nth;
	}
	return 0;
}

/* Stands for a call that the recording has no description of. */
static const struct dh_ev_call *unseen(struct loader *l, int64_t nr)
{
	struct dh_ev_call *c = dh_arena_alloc(l->arena, sizeof(*c));

	c->nr = nr;
	c->text = "";
	return c;
}

static int on_clone(struct loader *l, const struct dh_trace_event *ev)
{
	struct dh_ev_clone e;
	struct item *it;

	if (dh_ev_get_clone(ev, &e) < 0)
		return -EBADMSG;
	it = add(l, ev, ITEM_CLONE);
	it->ev = unseen(l, SYS_clone);
	it->other = e.child;
	it->pid = e.child_pid;
	it->tid = e.child_tid;
	it->flags = e.flags;
	dh_map_set(&l->clones, ev->task, l->items->n);
	return 0;
}

static int on_exit_event(struct loader *l, const struct dh_trace_event *ev)
{
	const struct dh_ev_call *c = dh_map_getp(&l->ends, ev->task);
	struct dh_ev_exit e;
	struct item *it;

	if (dh_ev_get_exit(ev, &e) < 0)
		return -EBADMSG;
	if (dh_map_get(&l->ended, ev->task, NULL))
		return 0;
	dh_map_set(&l->ended, ev->task, 1);
	it = add(l, ev, ITEM_END);
	it->status = e.status;
	it->ev = c && !e.killed ? c : unseen(l, -1);
	return 0;
}

static int on_signal(struct loader *l, const struct dh_trace_event *ev)
{
	struct dh_ev_signal sig;
	struct item *it;
	uint64_t mask;

	if (dh_ev_get_signal(ev, &sig) < 0 || sig.sig < 1 || sig.sig > 64)
		return -EBADMSG;
	it = add(l, ev, ITEM_SIGNAL);
	it->other = (uint32_t)sig.sig;
	it->blocked = dh_frame_mask(sig.frame_data, sig.frame_len, &mask) == 0 &&
		      mask & 1ull << (sig.sig - 1);
	return 0;
}

static int on_event(struct loader *l, const struct dh_trace_event *ev)
{
	struct dh_ev_exec exec;

	bool more = l->last_kind == DH_EV_BUFFER;

	l->last_kind = ev->kind;
	if (ev->kind == DH_EV_SYSCALL)
		return on_syscall(l, ev);
	if (ev->kind == DH_EV_BUFFER)
		return on_buffer(l, ev, more);
	if (ev->kind != DH_EV_CALL)
		l->wrote_task = UINT32_MAX;
	switch (ev->kind) {
	case DH_EV_CALL:
		return on_call(l, ev);
	case DH_EV_CLONE:
		return on_clone(l, ev);
	case DH_EV_EXIT:
		return on_exit_event(l, ev);
	case DH_EV_SIGNAL:
		return on_signal(l, ev);
	case DH_EV_EXEC:
		if (dh_ev_get_exec(ev, &exec) < 0)
			return -EBADMSG;
		if (!l->items->root_pid)
			l->items->root_pid = exec.pid;
		return 0;
	default:
		return 0;
	}
}

static int by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->nth != y->nth)
		return x->nth < y->nth ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void link_next(struct items *items)
{
	struct dh_map last = DH_MAP_INIT;

	for (size_t i = items->n; i-- > 0;) {
		struct item *it = &items->items[i];

		it->next = dh_map_getp(&last, it->task);
		if (it->ev)
			dh_map_setp(&last, it->task, (void *)(uintptr_t)it->ev);
	}
	dh_map_release(&last);
}

int dh_items_load(
	struct items *items, const char *dir, struct dh_arena *arena, struct dh_error *err)
{
	struct loader l = {.items = items, .arena = arena, .wrote_task = UINT32_MAX};
	struct dh_trace_reader *reader;
	struct dh_trace_event ev;
	int r = dh_trace_reader_open(dir, &reader, err), n;

	if (r < 0)
		return r;
	dh_strset_init(&l.strings);
	while (r == 0 && (n = dh_trace_reader_next(reader, &ev, err)) != 0) {
		r = n < 0 ? n : on_event(&l, &ev);
		if (r == 0 && items->n > CALLS_MAX)
			r = dh_error_set(err, E2BIG, "%s has too many calls to explore", dir);
		else if (r == -EBADMSG && n > 0)
			dh_error_set(err, EBADMSG, "event %llu of %s is damaged",
				(unsigned long long)ev.seq, dir);
	}
	qsort(items->items, items->n, sizeof(*items->items), by_time);
	link_next(items);
	dh_trace_reader_free(reader);
	dh_strset_release(&l.strings);
	dh_buf_release(&l.bytes);
	free(l.wrote);
	free(l.kept);
	dh_map_release(&l.clones);
	dh_map_release(&l.ends);
	dh_map_release(&l.ended);
	return r;
}
