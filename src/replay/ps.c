#include "replay/ps.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "trace/event.h"
#include "trace/reader.h"

#define COMMAND_MAX 1000

struct scan {
	struct dh_ps *ps;
	struct dh_map tasks; /* task -> index of its process + 1 */
};

void dh_ps_release(struct dh_ps *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		free(ps->processes[i].command);
	free(ps->processes);
	*ps = (struct dh_ps){0};
}

const struct dh_ps_process *dh_ps_find(const struct dh_ps *ps, uint32_t pid)
{
	for (size_t i = 0; i < ps->n; i++) {
		if (ps->processes[i].pid == pid)
			return &ps->processes[i];
	}
	return NULL;
}

static struct dh_ps_process *process_of(struct scan *s, uint32_t task)
{
	uint64_t i;

	return dh_map_get(&s->tasks, task, &i) ? &s->ps->processes[i - 1] : NULL;
}

static struct dh_ps_process *add(struct scan *s, uint32_t task, uint32_t pid, uint64_t seq)
{
	struct dh_ps_process *p;

	DH_GROW(s->ps->processes, s->ps->n, s->ps->cap);
	p = &s->ps->processes[s->ps->n++];
	*p = (struct dh_ps_process){.pid = pid, .first = seq, .last = seq};
	dh_map_set(&s->tasks, task, s->ps->n);
	return p;
}

/* The string that a pointer on the initial stack leads to. */
static bool add_argument(struct dh_buf *out, const struct dh_ev_write *stack, uint64_t pointer)
{
	uint64_t at = pointer - stack->addr;

	if (at >= stack->len || !memchr(stack->data + at, '\0', stack->len - at))
		return false;
	if (out->len)
		dh_buf_addc(out, ' ');
	for (const uint8_t *c = stack->data + at; *c && out->len < COMMAND_MAX; c++)
		dh_buf_addc(out, *c < ' ' || *c == 0x7f ? '?' : (char)*c);
	return true;
}

/* The stack begins with the number of arguments and pointers to them. */
static char *command_of(const struct dh_ev_exec *e)
{
	struct dh_buf out = DH_BUF_INIT;
	struct dh_ev_writes writes = e->writes;
	struct dh_ev_write w;
	uint64_t n = 0, pointer;

	while (dh_ev_next_write(&writes, &w) > 0) {
		if (w.addr != dh_regs_sp(&e->regs) || w.len < sizeof(n))
			continue;
		memcpy(&n, w.data, sizeof(n));
		for (uint64_t i = 0; i < n && (i + 2) * 8 <= w.len; i++) {
			memcpy(&pointer, w.data + (i + 1) * 8, sizeof(pointer));
			if (out.len >= COMMAND_MAX || !add_argument(&out, &w, pointer))
				break;
		}
		break;
	}
	if (!out.len)
		dh_buf_adds(&out, e->path);
	return dh_buf_steal(&out);
}

static int on_exec(struct scan *s, const struct dh_trace_event *ev)
{
	struct dh_ps_process *p = process_of(s, ev->task);
	struct dh_ev_exec e;

	if (dh_ev_get_exec(ev, &e) < 0)
		return -EBADMSG;
	if (!p)
		p = add(s, ev->task, e.pid, ev->seq);
	free(p->command);
	p->command = command_of(&e);
	p->executed = true;
	return 0;
}

static int on_clone(struct scan *s, const struct dh_trace_event *ev)
{
	const struct dh_ps_process *parent = process_of(s, ev->task);
	struct dh_ps_process *p;
	struct dh_ev_clone e;
	uint32_t ppid;
	char *command;
	uint64_t i;

	if (dh_ev_get_clone(ev, &e) < 0)
		return -EBADMSG;
	if (e.flags & CLONE_THREAD) {
		if (dh_map_get(&s->tasks, ev->task, &i))
			dh_map_set(&s->tasks, e.child, i);
		return 0;
	}
	ppid = parent ? parent->pid : 0;
	command = dh_strdup(parent ? parent->command : "?");
	p = add(s, e.child, e.child_pid, ev->seq);
	p->ppid = ppid;
	p->command = command;
	return 0;
}

/* A recording whose beginning was dropped starts with the processes that were there. */
static int on_process(struct scan *s, const struct dh_trace_event *ev)
{
	struct dh_ps_process *p;
	struct dh_ev_process e;

	if (dh_ev_get_process(ev, &e) < 0)
		return -EBADMSG;
	if (process_of(s, ev->task))
		return 0;
	p = add(s, ev->task, e.pid, ev->seq);
	p->ppid = e.ppid;
	p->command = dh_strdup(e.command);
	p->executed = true;
	return 0;
}

static int on_task(struct scan *s, const struct dh_trace_event *ev)
{
	struct dh_ps_process *p;
	struct dh_ev_task e;

	if (dh_ev_get_task(ev, &e) < 0)
		return -EBADMSG;
	if (process_of(s, ev->task))
		return 0;
	for (size_t i = 0; i < s->ps->n; i++) {
		if (s->ps->processes[i].pid == e.pid) {
			dh_map_set(&s->tasks, ev->task, i + 1);
			return 0;
		}
	}
	p = add(s, ev->task, e.pid, ev->seq);
	p->command = dh_strdup("?");
	return 0;
}

static int on_event(struct scan *s, const struct dh_trace_event *ev)
{
	struct dh_ps_process *p = process_of(s, ev->task);
	struct dh_ev_exit e;

	if (p)
		p->last = ev->seq;
	switch (ev->kind) {
	case DH_EV_EXEC:
		return on_exec(s, ev);
	case DH_EV_CLONE:
		return on_clone(s, ev);
	case DH_EV_PROCESS:
		return on_process(s, ev);
	case DH_EV_TASK:
		return on_task(s, ev);
	case DH_EV_EXIT:
		if (dh_ev_get_exit(ev, &e) < 0)
			return -EBADMSG;
		if (p && e.last) {
			p->ended = true;
			p->status = e.status;
		}
		return 0;
	default:
		return 0;
	}
}

int dh_ps_read(struct dh_trace_reader *reader, struct dh_ps *ret, struct dh_error *err)
{
	struct scan s = {.ps = ret};
	struct dh_trace_event ev;
	int n;

	*ret = (struct dh_ps){0};
	while ((n = dh_trace_reader_next(reader, &ev, err)) > 0) {
		ret->events = ev.seq + 1;
		n = on_event(&s, &ev);
		if (n < 0) {
			n = dh_error_set(err, -n, "the recording is damaged at event %llu",
				(unsigned long long)ev.seq);
			break;
		}
	}
	ret->complete = n == 0 && dh_trace_reader_complete(reader);
	dh_map_release(&s.tasks);
	return n;
}
