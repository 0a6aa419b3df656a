#include "sched/core.h"

#include "common/mem.h"

static bool grow(struct dh_set *set)
{
	uint32_t max = set->max ? set->max * 2 : 64;
	struct dh_task **at = rt_alloc(max * sizeof(struct dh_task *));

	if (!at)
		return false;
	for (uint32_t i = 0; i < set->count; i++)
		at[i] = set->at[i];
	set->at = at;
	set->max = max;
	return true;
}

static void append(struct dh_set *set, struct dh_task *t)
{
	if (set->count == set->max && !grow(set))
		dh_end_give_up("no memory is left for the scheduler");
	set->at[set->count++] = t;
}

void dh_set_add(struct dh_set *set, struct dh_task *t)
{
	append(set, t);
	t->place = set->count - 1;
	t->set = set;
}

/* The last one takes the free place: the order only has to be the same in each run. */
void dh_set_remove(struct dh_task *t)
{
	struct dh_set *set = t->set;

	if (!set)
		return;
	set->at[t->place] = set->at[--set->count];
	set->at[t->place]->place = t->place;
	t->set = NULL;
}

void dh_timed_add(struct dh_task *t)
{
	append(&dh_core.timed, t);
	t->timed_place = dh_core.timed.count - 1;
}

void dh_timed_remove(struct dh_task *t)
{
	struct dh_set *set = &dh_core.timed;

	if (t->deadline == DH_NEVER)
		return;
	set->at[t->timed_place] = set->at[--set->count];
	set->at[t->timed_place]->timed_place = t->timed_place;
	t->deadline = DH_NEVER;
}

static struct dh_set *set_of(enum dh_task_state state)
{
	switch (state) {
	case DH_TASK_NEW:
	case DH_TASK_RUNNING:
	case DH_TASK_READY:
		return &dh_core.ready;
	case DH_TASK_POSTPONED:
		return &dh_core.postponed;
	case DH_TASK_IO:
		return &dh_core.io;
	case DH_TASK_OUTSIDE:
		return &dh_core.outside;
	case DH_TASK_BLOCKED:
	case DH_TASK_ENDED:
		break;
	}
	return NULL;
}

void dh_task_set_state(struct dh_task *t, enum dh_task_state state)
{
	struct dh_set *set = set_of(state);

	t->state = state;
	if (t->set == set)
		return;
	dh_set_remove(t);
	if (set)
		dh_set_add(set, t);
}
