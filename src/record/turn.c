/* Who may run: the turn of a group, its queue, and the end of a time slice. */
#include "record/recorder.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "record/buffer.h"

/* Long enough that the cost of a point (a few milliseconds) stays small, short enough that a
 * thread that spins on another one's progress does not stall the program. */
#define SLICE_MIN 0.010
#define SLICE_MAX 0.100

double dh_rec_now(void)
{
	struct timespec ts;

	/* Not by way of the vDSO: see proc/tsc.h. */
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

struct group *dh_group_new(void)
{
	return dh_new(struct group);
}

void dh_group_join(struct task *t, struct group *g)
{
	t->group = g;
	g->n_tasks++;
}

static uint64_t next_random(struct recorder *r)
{
	uint64_t z = r->rng += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static double choose_slice(struct recorder *r)
{
	if (!r->opt->chaos)
		return SLICE_MIN;
	/* Mostly very short turns, now and then a long one: both provoke rare orders. */
	return next_random(r) % 8 ? SLICE_MIN * 0.05 * (double)(next_random(r) % 20) : SLICE_MAX;
}

static void give_turn(struct recorder *r, struct task *t)
{
	t->group->holder = t;
	t->group->turn_began = dh_rec_now();
	t->group->slice = choose_slice(r);
	t->state = TASK_RUNNING;
}

static void enqueue(struct recorder *r, struct task *t)
{
	struct group *g = t->group;

	dh_ticks_want(r);
	t->state = TASK_READY;
	t->parked = false;
	t->next_ready = NULL;
	if (g->ready_tail)
		g->ready_tail->next_ready = t;
	else
		g->ready_head = t;
	g->ready_tail = t;
}

static void unlink_ready(struct group *g, struct task *prev, struct task *t)
{
	if (prev)
		prev->next_ready = t->next_ready;
	else
		g->ready_head = t->next_ready;
	if (g->ready_tail == t)
		g->ready_tail = prev;
	t->next_ready = NULL;
}

static struct task *dequeue(struct recorder *r, struct group *g)
{
	struct task *t = g->ready_head, *prev = NULL;
	uint64_t skip = 0, n = 0;

	if (!t)
		return NULL;
	if (r->opt->chaos) {
		for (struct task *i = t; i; i = i->next_ready)
			n++;
		skip = next_random(r) % n;
	}
	for (; skip; skip--) {
		prev = t;
		t = t->next_ready;
	}
	unlink_ready(g, prev, t);
	return t;
}

static void remove_ready(struct group *g, struct task *t)
{
	struct task *prev = NULL;

	for (struct task *i = g->ready_head; i; prev = i, i = i->next_ready) {
		if (i == t) {
			unlink_ready(g, prev, t);
			return;
		}
	}
}

bool dh_turn_take(struct recorder *r, struct task *t)
{
	struct group *g = t->group;

	if (g->holder == t) {
		t->state = TASK_RUNNING;
		return true;
	}
	if (g->holder) {
		enqueue(r, t);
		return false;
	}
	give_turn(r, t);
	return true;
}

void dh_turn_release(struct recorder *r, struct task *t)
{
	struct group *g = t->group;
	struct task *next;

	if (g->holder != t)
		return;
	g->holder = NULL;
	next = dequeue(r, g);
	if (next) {
		give_turn(r, next);
		dh_rec_handle(r, next);
	}
}

void dh_group_leave(struct recorder *r, struct task *t)
{
	struct group *g = t->group;

	if (!g)
		return;
	remove_ready(g, t);
	g->n_tasks--;
	if (g->holder == t)
		dh_turn_release(r, t);
	if (g->n_tasks == 0)
		free(g);
	t->group = NULL;
}

bool dh_turn_yield(struct recorder *r, struct task *t, bool at_once)
{
	struct group *g = t->group;

	if (!g->ready_head || g->holder != t)
		return false;
	if (!at_once && dh_rec_now() - g->turn_began < g->slice)
		return false;
	t->stop = (struct dh_stop){.kind = DH_STOP_INTERRUPT};
	enqueue(r, t);
	g->holder = t;
	dh_turn_release(r, t);
	return true;
}

/* Stops a task that runs, wherever it is, and logs that place: from here on it takes turns. */
static void halt(struct recorder *r, struct task *t)
{
	if (!t->parked && (dh_tracee_interrupt(&t->t) < 0 || dh_tracee_wait(&t->t, &t->stop) < 0))
		return;
	t->stopped = true;
	if (t->stop.kind == DH_STOP_INTERRUPT)
		dh_signal_mark(r, t);
	else
		dh_call_found(r, t);
}

static void merge(struct recorder *r, struct group *into, struct group *from)
{
	struct task *holder = from->holder, *t;

	if (holder && holder->state == TASK_RUNNING)
		halt(r, holder);
	dh_map_foreach (slot, &r->tasks) {
		t = (struct task *)(uintptr_t)slot->value;
		if (t->group == from)
			t->group = into;
	}
	into->n_tasks += from->n_tasks;
	if (holder)
		enqueue(r, holder);
	while ((t = from->ready_head)) {
		unlink_ready(from, NULL, t);
		enqueue(r, t);
	}
	free(from);
	dh_buffer_group_grew(r, into);
}

void dh_turn_share(struct recorder *r, struct task *t, uint64_t key)
{
	struct task *other;

	do {
		other = NULL;
		dh_map_foreach (slot, &r->tasks) {
			struct task *u = (struct task *)(uintptr_t)slot->value;

			if (u->group && u->group != t->group &&
				dh_map_get(&u->process->keys, key, NULL))
				other = u;
		}
		if (other)
			merge(r, t->group, other->group);
	} while (other);
	t->process->has_shared = true;
	dh_map_set(&t->process->keys, key, 1);
}

/* Whether something has to be looked at when a moment has passed. */
static bool is_pending(const struct task *t)
{
	return t->n_held || (t->group && t->group->ready_head);
}

void dh_turn_tick(struct recorder *r)
{
	double now = dh_rec_now();
	bool pending = false;

	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;
		struct group *g = t->group;

		pending |= is_pending(t);
		if (t->n_held && now >= t->hold_until && t->hold_until > 0)
			dh_signal_requeue(t);
		if (!g || g->holder != t || !g->ready_head || t->preempt_asked)
			continue;
		if (t->state != TASK_RUNNING || now - g->turn_began < g->slice)
			continue;
		/* The next call is a cheaper place to switch, if it comes soon. */
		if (!dh_buffer_yield(t) && dh_tracee_interrupt(&t->t) == 0)
			t->preempt_asked = true;
	}
	if (!pending && !r->gate)
		dh_ticks_stop(r);
}
