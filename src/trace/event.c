#include "trace/event.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "trace/coding.h"
#include "trace/reader.h"

static const char *const names[DH_EV_COUNT] = {
	[DH_EV_FILE] = "file",
	[DH_EV_EXEC] = "exec",
	[DH_EV_CLONE] = "clone",
	[DH_EV_ENTER] = "enter",
	[DH_EV_SYSCALL] = "syscall",
	[DH_EV_MAP] = "map",
	[DH_EV_SIGNAL] = "signal",
	[DH_EV_TSC] = "tsc",
	[DH_EV_PREEMPT] = "preempt",
	[DH_EV_EXIT] = "exit",
	[DH_EV_SHARED] = "shared",
	[DH_EV_BUFFER] = "buffer",
	[DH_EV_PATCH] = "patch",
	[DH_EV_WRITE] = "write",
	[DH_EV_CHECKPOINT] = "checkpoint",
	[DH_EV_PROCESS] = "process",
	[DH_EV_MEMORY] = "memory",
	[DH_EV_TASK] = "task",
	[DH_EV_CALL] = "call",
	[DH_EV_RANDOM] = "random",
};

const char *dh_ev_name(int kind)
{
	return kind > 0 && kind < DH_EV_COUNT ? names[kind] : NULL;
}

static void put_regs(struct dh_buf *b, const struct dh_regs *r)
{
	dh_buf_add(b, r->word, sizeof(r->word));
}

static void get_regs(struct in *i, struct dh_regs *ret)
{
	const uint8_t *p = get_raw(i, sizeof(ret->word));

	if (p)
		memcpy(ret->word, p, sizeof(ret->word));
}

static void get_writes(struct in *i, struct dh_ev_writes *ret)
{
	ret->n = get(i);
	ret->at = i->at;
	ret->end = i->end;
}

void dh_ev_put_write(struct dh_buf *out, uint64_t addr, const void *data, uint64_t len)
{
	put(out, addr);
	put_bytes(out, data, len);
}

int dh_ev_next_write(struct dh_ev_writes *w, struct dh_ev_write *ret)
{
	struct in i = {.at = w->at, .end = w->end};

	if (w->n == 0)
		return 0;
	ret->addr = get(&i);
	ret->data = get_bytes(&i, &ret->len);
	if (i.bad)
		return -EBADMSG;
	w->at = i.at;
	w->n--;
	return 1;
}

void dh_ev_put_file(struct dh_buf *out, const struct dh_ev_file *e)
{
	put(out, e->id);
	put_string(out, e->path);
	put(out, e->size);
	put(out, e->mtime_ns);
	dh_buf_add(out, e->hash, 32);
	put(out, e->stored);
}

int dh_ev_get_file(const struct dh_trace_event *ev, struct dh_ev_file *ret)
{
	struct in i = open_event(ev);
	const uint8_t *hash;

	*ret = (struct dh_ev_file){0};
	ret->id = get(&i);
	ret->path = get_string(&i);
	ret->size = get(&i);
	ret->mtime_ns = get(&i);
	hash = get_raw(&i, 32);
	if (hash)
		memcpy(ret->hash, hash, 32);
	ret->stored = get(&i);
	return done(&i);
}

void dh_ev_put_vma(struct dh_buf *out, const struct dh_ev_vma *v)
{
	put(out, v->start);
	put(out, v->end - v->start);
	put(out, v->offset);
	put(out, v->file);
	put(out, (uint64_t)v->prot | (v->shared ? 8u : 0) | (v->grows_down ? 16u : 0));
	put(out, v->key);
}

static void get_vma(struct in *i, struct dh_ev_vma *ret)
{
	uint64_t bits, len;

	ret->start = get(i);
	len = get(i);
	if (__builtin_add_overflow(ret->start, len, &ret->end))
		i->bad = true;
	ret->offset = get(i);
	ret->file = get(i);
	bits = get(i);
	ret->prot = (int)(bits & 7);
	ret->shared = bits & 8;
	ret->grows_down = bits & 16;
	ret->key = get(i);
}

int dh_ev_next_vma(const uint8_t **at, const uint8_t *end, struct dh_ev_vma *ret)
{
	struct in i = {.at = *at, .end = end};

	if (*at >= end)
		return 0;
	get_vma(&i, ret);
	*at = i.at;
	return i.bad ? -EBADMSG : 1;
}

void dh_ev_put_exec(
	struct dh_buf *out, const struct dh_ev_exec *e, const struct dh_buf *writes, uint64_t n)
{
	put(out, e->pid);
	put_string(out, e->path);
	put_regs(out, &e->regs);
	put(out, e->mask);
	put(out, e->ignored);
	put_bytes(out, e->vma_data, e->vma_len);
	put(out, n);
	dh_buf_add(out, writes->data, writes->len);
}

int dh_ev_get_exec(const struct dh_trace_event *ev, struct dh_ev_exec *ret)
{
	struct in i = open_event(ev);

	*ret = (struct dh_ev_exec){0};
	ret->pid = (uint32_t)get(&i);
	ret->path = get_string(&i);
	get_regs(&i, &ret->regs);
	ret->mask = get(&i);
	ret->ignored = get(&i);
	ret->vma_data = get_bytes(&i, &ret->vma_len);
	get_writes(&i, &ret->writes);
	return done(&i);
}

void dh_ev_put_clone(struct dh_buf *out, const struct dh_ev_clone *e)
{
	put(out, e->child);
	put(out, e->child_tid);
	put(out, e->child_pid);
	put(out, e->flags);
}

int dh_ev_get_clone(const struct dh_trace_event *ev, struct dh_ev_clone *ret)
{
	struct in i = open_event(ev);

	ret->child = (uint32_t)get(&i);
	ret->child_tid = (uint32_t)get(&i);
	ret->child_pid = (uint32_t)get(&i);
	ret->flags = get(&i);
	return done(&i);
}

void dh_ev_put_enter(struct dh_buf *out, const struct dh_ev_enter *e)
{
	put_signed(out, e->nr);
	put_fixed(out, e->entry_hash);
	put(out, e->digest);
}

int dh_ev_get_enter(const struct dh_trace_event *ev, struct dh_ev_enter *ret)
{
	struct in i = open_event(ev);

	ret->nr = get_signed(&i);
	ret->entry_hash = get_fixed(&i);
	ret->digest = (uint32_t)get(&i);
	return done(&i);
}

void dh_ev_put_syscall(
	struct dh_buf *out, const struct dh_ev_syscall *e, const struct dh_buf *writes, uint64_t n)
{
	put_signed(out, e->nr);
	put_fixed(out, e->entry_hash);
	put(out, e->digest);
	put_signed(out, e->result);
	put(out, e->flags);
	put(out, n);
	dh_buf_add(out, writes->data, writes->len);
}

int dh_ev_get_syscall(const struct dh_trace_event *ev, struct dh_ev_syscall *ret)
{
	struct in i = open_event(ev);

	ret->nr = get_signed(&i);
	ret->entry_hash = get_fixed(&i);
	ret->digest = (uint32_t)get(&i);
	ret->result = get_signed(&i);
	ret->flags = (unsigned)get(&i);
	get_writes(&i, &ret->writes);
	return done(&i);
}

void dh_ev_put_map(struct dh_buf *out, const struct dh_ev_map *e)
{
	put_signed(out, e->nr);
	put_fixed(out, e->entry_hash);
	put_signed(out, e->result);
	put(out, e->op);
	put(out, e->old_addr);
	put(out, e->old_len);
	dh_ev_put_vma(out, &e->vma);
	put(out, e->flags);
}

int dh_ev_get_map(const struct dh_trace_event *ev, struct dh_ev_map *ret)
{
	struct in i = open_event(ev);

	ret->nr = get_signed(&i);
	ret->entry_hash = get_fixed(&i);
	ret->result = get_signed(&i);
	ret->op = (enum dh_ev_map_op)get(&i);
	ret->old_addr = get(&i);
	ret->old_len = get(&i);
	get_vma(&i, &ret->vma);
	ret->flags = (unsigned)get(&i);
	return done(&i);
}

static void put_point(struct dh_buf *out, const struct dh_ev_point *p)
{
	put_regs(out, &p->regs);
	put_bytes(out, p->xstate, p->xstate_len);
	put_fixed(out, p->mem_hash);
	put_fixed(out, p->mask);
	put_bytes(out, p->words, p->n_words * 16);
	put(out, p->pages.n);
	put_bytes(out, p->pages.at, (uint64_t)(p->pages.end - p->pages.at));
	put_bytes(out, p->sums, p->n_sums * 16);
	put(out, p->cpu_ns);
}

static void get_point(struct in *i, struct dh_ev_point *ret)
{
	uint64_t n;

	get_regs(i, &ret->regs);
	ret->xstate = get_bytes(i, &ret->xstate_len);
	ret->mem_hash = get_fixed(i);
	ret->mask = get_fixed(i);
	ret->words = get_bytes(i, &n);
	ret->n_words = n / 16;
	ret->pages.n = get(i);
	ret->pages.at = get_bytes(i, &n);
	ret->pages.end = ret->pages.at ? ret->pages.at + n : NULL;
	ret->sums = get_bytes(i, &n);
	ret->n_sums = n / 16;
	ret->cpu_ns = get(i);
}

static void get_pair(const uint8_t *pairs, uint64_t i, uint64_t *ret_addr, uint64_t *ret)
{
	memcpy(ret_addr, pairs + i * 16, 8);
	memcpy(ret, pairs + i * 16 + 8, 8);
}

void dh_ev_point_word(const struct dh_ev_point *p, uint64_t i, uint64_t *ret_addr, uint64_t *ret)
{
	get_pair(p->words, i, ret_addr, ret);
}

void dh_ev_point_sum(const struct dh_ev_point *p, uint64_t i, uint64_t *ret_addr, uint64_t *ret)
{
	get_pair(p->sums, i, ret_addr, ret);
}

void dh_ev_put_signal(struct dh_buf *out, const struct dh_ev_signal *e)
{
	put(out, (uint64_t)e->sig);
	put(out, e->where);
	put_fixed(out, e->entry_hash);
	if (e->where == DH_AT_POINT)
		put_point(out, &e->point);
	put_regs(out, &e->regs);
	put_fixed(out, e->mask);
	put(out, e->reset);
	put(out, e->frame);
	put_bytes(out, e->frame_data, e->frame_len);
}

int dh_ev_get_signal(const struct dh_trace_event *ev, struct dh_ev_signal *ret)
{
	struct in i = open_event(ev);

	*ret = (struct dh_ev_signal){0};
	ret->sig = (int)get(&i);
	ret->where = (enum dh_ev_where)get(&i);
	ret->entry_hash = get_fixed(&i);
	if (ret->where == DH_AT_POINT)
		get_point(&i, &ret->point);
	get_regs(&i, &ret->regs);
	ret->mask = get_fixed(&i);
	ret->reset = get(&i);
	ret->frame = get(&i);
	ret->frame_data = get_bytes(&i, &ret->frame_len);
	return done(&i);
}

void dh_ev_put_preempt(struct dh_buf *out, const struct dh_ev_preempt *e)
{
	put(out, e->where);
	put_fixed(out, e->entry_hash);
	if (e->where == DH_AT_POINT)
		put_point(out, &e->point);
}

int dh_ev_get_preempt(const struct dh_trace_event *ev, struct dh_ev_preempt *ret)
{
	struct in i = open_event(ev);

	*ret = (struct dh_ev_preempt){0};
	ret->where = (enum dh_ev_where)get(&i);
	ret->entry_hash = get_fixed(&i);
	if (ret->where == DH_AT_POINT)
		get_point(&i, &ret->point);
	return done(&i);
}

void dh_ev_put_tsc(struct dh_buf *out, const struct dh_ev_tsc *e)
{
	put_fixed(out, e->entry_hash);
	put(out, e->tsc);
	put(out, e->aux);
	put(out, (uint64_t)e->length);
}

int dh_ev_get_tsc(const struct dh_trace_event *ev, struct dh_ev_tsc *ret)
{
	struct in i = open_event(ev);

	ret->entry_hash = get_fixed(&i);
	ret->tsc = get(&i);
	ret->aux = (uint32_t)get(&i);
	ret->length = (int)get(&i);
	return done(&i);
}

void dh_ev_put_random(struct dh_buf *out, const struct dh_ev_random *e)
{
	put_fixed(out, e->entry_hash);
	put_fixed(out, e->value);
	put(out, e->first);
}

int dh_ev_get_random(const struct dh_trace_event *ev, struct dh_ev_random *ret)
{
	struct in i = open_event(ev);

	ret->entry_hash = get_fixed(&i);
	ret->value = get_fixed(&i);
	ret->first = (uint8_t)get(&i);
	return done(&i);
}

void dh_ev_put_exit(
	struct dh_buf *out, const struct dh_ev_exit *e, const struct dh_buf *writes, uint64_t n)
{
	put_signed(out, e->status);
	put(out, (e->last ? 1u : 0) | (e->killed ? 2u : 0));
	put(out, n);
	dh_buf_add(out, writes->data, writes->len);
}

int dh_ev_get_exit(const struct dh_trace_event *ev, struct dh_ev_exit *ret)
{
	struct in i = open_event(ev);
	uint64_t bits;

	ret->status = (int)get_signed(&i);
	bits = get(&i);
	ret->last = bits & 1;
	ret->killed = bits & 2;
	get_writes(&i, &ret->writes);
	return done(&i);
}

void dh_ev_put_writes(struct dh_buf *out, const struct dh_buf *writes, uint64_t n)
{
	put(out, n);
	dh_buf_add(out, writes->data, writes->len);
}

int dh_ev_get_writes(const struct dh_trace_event *ev, struct dh_ev_writes *ret)
{
	struct in i = open_event(ev);

	get_writes(&i, ret);
	return done(&i);
}

void dh_ev_put_shared(struct dh_buf *out, const struct dh_ev_shared *e)
{
	put(out, e->key);
	put(out, e->offset);
	put(out, e->truncate);
	put_bytes(out, e->data, e->len);
}

int dh_ev_get_shared(const struct dh_trace_event *ev, struct dh_ev_shared *ret)
{
	struct in i = open_event(ev);

	ret->key = get(&i);
	ret->offset = get(&i);
	ret->truncate = get(&i);
	ret->data = get_bytes(&i, &ret->len);
	return done(&i);
}

void dh_ev_put_checkpoint(struct dh_buf *out, const struct dh_ev_checkpoint *e)
{
	put(out, e->root_pid);
	put_signed(out, e->root_status);
	put(out, e->n_tasks);
}

int dh_ev_get_checkpoint(const struct dh_trace_event *ev, struct dh_ev_checkpoint *ret)
{
	struct in i = open_event(ev);

	ret->root_pid = (uint32_t)get(&i);
	ret->root_status = (int)get_signed(&i);
	ret->n_tasks = get(&i);
	return done(&i);
}

void dh_ev_put_process(struct dh_buf *out, const struct dh_ev_process *e)
{
	put(out, e->pid);
	put(out, e->mm);
	put(out, e->ppid);
	put_string(out, e->command);
	put(out, e->stack);
	put(out, e->stack_soft);
	put(out, e->stack_hard);
	dh_buf_add(out, e->actions, DH_EV_ACTIONS * DH_EV_ACTION_SIZE);
	put_bytes(out, e->vma_data, e->vma_len);
}

int dh_ev_get_process(const struct dh_trace_event *ev, struct dh_ev_process *ret)
{
	struct in i = open_event(ev);

	ret->pid = (uint32_t)get(&i);
	ret->mm = get(&i);
	ret->ppid = (uint32_t)get(&i);
	ret->command = get_string(&i);
	ret->stack = get(&i);
	ret->stack_soft = get(&i);
	ret->stack_hard = get(&i);
	ret->actions = get_raw(&i, (uint64_t)DH_EV_ACTIONS * DH_EV_ACTION_SIZE);
	ret->vma_data = get_bytes(&i, &ret->vma_len);
	return done(&i);
}

void dh_ev_put_memory(
	struct dh_buf *out, const struct dh_ev_memory *e, const struct dh_buf *writes, uint64_t n)
{
	put(out, e->key);
	put(out, e->size);
	put(out, n);
	dh_buf_add(out, writes->data, writes->len);
}

int dh_ev_get_memory(const struct dh_trace_event *ev, struct dh_ev_memory *ret)
{
	struct in i = open_event(ev);

	ret->key = get(&i);
	ret->size = get(&i);
	get_writes(&i, &ret->writes);
	return done(&i);
}

void dh_ev_put_task(struct dh_buf *out, const struct dh_ev_task *e)
{
	put(out, e->tid);
	put(out, e->pid);
	put(out, e->ended);
	if (e->ended)
		return;
	put_regs(out, &e->regs);
	put_bytes(out, e->xstate, e->xstate_len);
	put_fixed(out, e->mask);
	for (int n = 0; n < 3; n++)
		put(out, e->altstack[n]);
	put(out, e->clear_tid);
	put(out, e->robust);
	put_string(out, e->name);
}

int dh_ev_get_task(const struct dh_trace_event *ev, struct dh_ev_task *ret)
{
	struct in i = open_event(ev);

	*ret = (struct dh_ev_task){.name = ""};
	ret->tid = (uint32_t)get(&i);
	ret->pid = (uint32_t)get(&i);
	ret->ended = get(&i);
	if (ret->ended)
		return done(&i);
	get_regs(&i, &ret->regs);
	ret->xstate = get_bytes(&i, &ret->xstate_len);
	ret->mask = get_fixed(&i);
	for (int n = 0; n < 3; n++)
		ret->altstack[n] = get(&i);
	ret->clear_tid = get(&i);
	ret->robust = get(&i);
	ret->name = get_string(&i);
	return done(&i);
}
