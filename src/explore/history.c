#include "explore/history.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explore/builder.h"
#include "explore/items.h"

void dh_vec_add(struct vec *v, uint32_t x)
{
	DH_GROW(v->v, v->n, v->cap);
	v->v[v->n++] = x;
}

void dh_vec_release(struct vec *v)
{
	free(v->v);
	*v = (struct vec){0};
}

void dh_build_after(struct builder *b, uint32_t call)
{
	if (call != NONE && call != b->now)
		dh_vec_add(&b->after, call);
}

static uint32_t add_process(struct builder *b, uint32_t pid, uint32_t parent)
{
	struct dh_history *h = b->h;

	DH_GROW(h->processes, h->n_processes, b->cap_processes);
	h->processes[h->n_processes] = (struct dh_hist_process){
		.pid = pid, .parent = parent, .status = -1, .end = DH_NO_CALL};
	if (h->n_processes == b->cap_process_states) {
		b->cap_process_states = b->cap_processes;
		b->process_states = dh_reallocarray(
			b->process_states, b->cap_process_states, sizeof(*b->process_states));
	}
	b->process_states[h->n_processes] =
		(struct process_state){.last = NONE, .ends = NONE, .there = NONE, .shown = NONE};
	dh_map_set(&b->pids, pid, h->n_processes);
	return h->n_processes++;
}

static uint32_t add_task(struct builder *b, uint32_t id, uint32_t tid, uint32_t process)
{
	struct dh_history *h = b->h;

	DH_GROW(h->tasks, h->n_tasks, b->cap_tasks);
	h->tasks[h->n_tasks] = (struct dh_hist_task){
		.id = id, .tid = tid, .process = process, .parent = DH_NO_TASK};
	if (h->n_tasks == b->cap_task_states) {
		b->cap_task_states = b->cap_tasks;
		b->task_states = dh_reallocarray(
			b->task_states, b->cap_task_states, sizeof(*b->task_states));
	}
	b->task_states[h->n_tasks] = (struct task_state){.vfork_parent = NONE};
	b->process_states[process].n_live++;
	dh_map_set(&b->task_ids, id, h->n_tasks);
	return h->n_tasks++;
}

static bool find_task(struct builder *b, uint32_t id, uint32_t *ret)
{
	uint64_t found;

	if (!dh_map_get(&b->task_ids, id, &found))
		return false;
	*ret = (uint32_t)found;
	return true;
}

/* What the call's place in the order of conflicts is: after those that its accesses follow. */
static void add_deps(struct builder *b, const struct dh_hist_call *c)
{
	struct dh_history *h = b->h;

	for (uint32_t i = 0; i < c->n_accesses; i++) {
		const struct dh_hist_access *a = &h->accesses[c->first_access + i];
		const struct dh_hist_object *o = &h->objects[a->object];
		struct recent *r;
		struct vec *own, *other;

		if (o->what == DH_RACE_STREAM || o->what == DH_RACE_TTY)
			continue;
		while (b->n_recent <= a->object) {
			DH_GROW(b->recent, b->n_recent, b->cap_recent);
			b->recent[b->n_recent++] = (struct recent){0};
		}
		r = &b->recent[a->object];
		own = a->op == DH_HIST_STORE ? &r->stores : &r->loads;
		other = a->op == DH_HIST_STORE ? &r->loads : &r->stores;
		for (size_t k = 0; k < other->n; k++)
			dh_porder_add_dep(&h->order, other->v[k]);
		if (a->op == DH_HIST_STORE && !o->commutes) {
			for (size_t k = 0; k < own->n; k++)
				dh_porder_add_dep(&h->order, own->v[k]);
			own->n = 0;
			other->n = 0;
		} else if (o->commutes) {
			other->n = 0;
		}
		if (!own->n || own->v[own->n - 1] != b->now)
			dh_vec_add(own, b->now);
	}
}

/* Gives the call its number; its accesses are those that were added since `first`. */
static void finish_call(struct builder *b, uint32_t first)
{
	struct dh_history *h = b->h;
	struct process_state *p = &b->process_states[h->tasks[b->task].process];
	struct task_state *t = &b->task_states[b->task];

	for (size_t i = 0; i < t->after.n; i++)
		dh_build_after(b, t->after.v[i]);
	t->after.n = 0;
	/* Threads of a process are the business of other tools: here they are in order. */
	dh_build_after(b, p->last);
	p->last = dh_porder_add(&h->order, b->task, b->after.v, b->after.n);
	DH_GROW(h->calls, h->n_calls, b->cap_calls);
	h->calls[h->n_calls] = (struct dh_hist_call){.ev = b->ev,
		.task = b->task,
		.key = dh_hist_key(b->ev),
		.first_access = first,
		.n_accesses = h->n_accesses - first,
		.given = b->given};
	b->given = NULL;
	add_deps(b, &h->calls[h->n_calls++]);
	if (b->seen != NONE)
		dh_porder_add_seen(&h->order, b->seen);
}

static void begin_call(struct builder *b, uint32_t task, const struct item *it)
{
	b->task = task;
	b->ev = it->ev;
	b->next = it->next;
	b->now = b->h->n_calls;
	b->seen = NONE;
	b->after.n = 0;
}

static void executed(struct builder *b)
{
	struct dh_hist_process *p = dh_build_process(b);
	const struct dh_ev_ref *path = dh_ev_call_ref(b->ev, DH_REF_PATH);

	DH_GROW(p->images, p->n_images, p->cap_images);
	p->images[p->n_images].command = b->ev->text;
	p->images[p->n_images].path = path && path->path[0] ? path->path : NULL;
	p->images[p->n_images++].from = b->now;
}

/* A parent that has lent its memory goes on when the child has executed something, or ended. */
static void give_back(struct builder *b)
{
	uint32_t parent = b->task_states[b->task].vfork_parent;

	if (parent != NONE)
		dh_porder_learn(&b->h->order, parent, b->now);
	b->task_states[b->task].vfork_parent = NONE;
}

/* The signals that struck while the task was in this call, or before it. */
static void note_interruptions(struct builder *b)
{
	struct dh_history *h = b->h;
	uint32_t index = b->task < h->order.n_tasks ? h->order.tasks[b->task].n : 0;

	for (uint32_t i = h->n_signals; i-- > 0;) {
		struct dh_hist_signal *s = &h->signals[i];

		if (s->task == b->task && s->index == index)
			s->interrupted = b->ev->entered <= s->seq;
		else if (h->n_signals - i > 16)
			break;
	}
}

static void do_call(struct builder *b, const struct item *it)
{
	bool execs =
		(it->ev->nr == SYS_execve || it->ev->nr == SYS_execveat) && it->ev->result == 0;
	uint32_t task, first = b->h->n_accesses;

	if (!find_task(b, it->task, &task)) {
		/* The first process: named by its first call. */
		task = add_task(b, it->task, b->root_pid, add_process(b, b->root_pid, DH_NO_TASK));
		dh_files_clone(b, NONE, task, false);
	}
	begin_call(b, task, it);
	note_interruptions(b);
	dh_effects_of_call(b);
	b->given = it->given;
	if (execs)
		executed(b);
	finish_call(b, first);
	if (execs)
		give_back(b);
}

static void do_clone(struct builder *b, const struct item *it)
{
	struct dh_history *h = b->h;
	uint32_t parent, child, process, first = h->n_accesses;

	if (!find_task(b, it->task, &parent))
		return;
	begin_call(b, parent, it);
	process = h->tasks[parent].process;
	if (!(it->flags & CLONE_THREAD)) {
		b->process_states[process].n_children++;
		process = add_process(b, it->pid, process);
		dh_proc_exists(b, process, DH_HIST_STORE);
		dh_list_store(b, "/proc");
	}
	child = add_task(b, it->other, it->tid, process);
	h->tasks[child].parent = parent;
	h->tasks[child].nth = h->tasks[parent].n_clones++;
	dh_files_clone(b, parent, child, it->flags & CLONE_FILES);
	if (it->flags & CLONE_VFORK)
		b->task_states[child].vfork_parent = parent;
	finish_call(b, first);
	dh_porder_learn(&h->order, child, b->now);
}

static void do_end(struct builder *b, const struct item *it)
{
	uint32_t task, first = b->h->n_accesses;

	if (!find_task(b, it->task, &task) || b->task_states[task].ended)
		return;
	begin_call(b, task, it);
	dh_effects_of_end(b, it->status, it->seq);
	dh_build_process(b)->status = it->status;
	finish_call(b, first);
	give_back(b);
}

static void do_item(struct builder *b, const struct item *it)
{
	uint32_t task;

	switch ((enum item_kind)it->kind) {
	case ITEM_CALL:
		do_call(b, it);
		break;
	case ITEM_CLONE:
		do_clone(b, it);
		break;
	case ITEM_END:
		do_end(b, it);
		break;
	case ITEM_SIGNAL:
		if (find_task(b, it->task, &task))
			dh_effects_of_signal(b, task, it);
		break;
	}
}

static void release(struct builder *b)
{
	for (uint32_t i = 0; i < b->h->n_tasks; i++)
		dh_vec_release(&b->task_states[i].after);
	for (uint32_t i = 0; i < b->h->n_processes; i++) {
		dh_vec_release(&b->process_states[i].child_exits);
		dh_vec_release(&b->process_states[i].maybe);
	}
	for (size_t i = 0; i < b->n_recent; i++) {
		dh_vec_release(&b->recent[i].stores);
		dh_vec_release(&b->recent[i].loads);
	}
	dh_map_foreach (slot, &b->wakes)
		dh_vec_release((struct vec *)(uintptr_t)slot->value);
	dh_streams_release(b);
	dh_build_files_release(b);
	dh_vec_release(&b->after);
	free(b->task_states);
	free(b->process_states);
	free(b->recent);
	free(b->sent);
	for (size_t i = 0; i < DH_ARRAY_SIZE(b->maps); i++)
		dh_map_release(&b->maps[i]);
}

int dh_history_load(const char *dir, struct dh_history **ret, struct dh_error *err)
{
	struct dh_history *h = dh_new(struct dh_history);
	struct builder b = {.h = h};
	struct items items = {0};
	int r = dh_items_load(&items, dir, &h->arena, err);

	dh_porder_init(&h->order);
	if (r == 0 && !items.n_described)
		r = dh_error_set(err, ENODATA,
			"%s does not say what its calls were about; record with 'deadheat record "
			"--calls'",
			dir);
	b.root_pid = items.root_pid;
	for (size_t i = 0; r == 0 && i < items.n; i++) {
		if (items.items[i].ev)
			dh_objects_prepare(&b, items.items[i].ev);
	}
	for (size_t i = 0; r == 0 && i < items.n; i++)
		do_item(&b, &items.items[i]);
	for (uint32_t i = 0; i < h->n_signals; i++) {
		const struct dh_hist_signal *s = &h->signals[i];

		dh_porder_add_strike(&h->order, s->sender, s->task, s->index, s->interrupted);
	}
	release(&b);
	free(items.items);
	if (r < 0) {
		dh_history_free(h);
		return r;
	}
	*ret = h;
	return 0;
}

void dh_history_free(struct dh_history *h)
{
	if (!h)
		return;
	for (uint32_t i = 0; i < h->n_processes; i++)
		free(h->processes[i].images);
	dh_porder_release(&h->order);
	free(h->processes);
	free(h->tasks);
	free(h->objects);
	free(h->accesses);
	free(h->calls);
	free(h->signals);
	free(h->spans);
	dh_arena_release(&h->arena);
	free(h);
}
