#include "explore/porder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void dh_porder_init(struct dh_porder *o)
{
	*o = (struct dh_porder){0};
	/* Clock 0 knows nothing: what every task starts with. */
	DH_GROW(o->clocks, o->n_clocks, o->cap_clocks);
	o->clocks[o->n_clocks++] = (struct dh_porder_clock){0};
}

void dh_porder_release(struct dh_porder *o)
{
	for (uint32_t i = 0; i < o->n_tasks; i++)
		free(o->tasks[i].calls);
	free(o->tasks);
	free(o->calls);
	free(o->clocks);
	free(o->words);
	free(o->deps);
	free(o->strikes);
	*o = (struct dh_porder){0};
}

static void need_task(struct dh_porder *o, uint32_t task)
{
	while (o->n_tasks <= task) {
		DH_GROW(o->tasks, o->n_tasks, o->cap_tasks);
		memset(&o->tasks[o->n_tasks++], 0, sizeof(o->tasks[0]));
	}
}

static uint32_t component(const struct dh_porder *o, uint32_t clock, uint32_t task)
{
	const struct dh_porder_clock *c = &o->clocks[clock];

	return task < c->n ? o->words[c->at + task] : 0;
}

uint32_t dh_porder_known(const struct dh_porder *o, uint32_t c, uint32_t task)
{
	const struct dh_porder_call *call = &o->calls[c];

	return task == call->task ? call->index + 1 : component(o, call->clock, task);
}

uint32_t dh_porder_known_before(const struct dh_porder *o, uint32_t c, uint32_t task)
{
	const struct dh_porder_call *call = &o->calls[c];

	return task == call->task ? call->index : component(o, call->begun, task);
}

bool dh_porder_before(const struct dh_porder *o, uint32_t a, uint32_t b)
{
	return a != b && dh_porder_known(o, b, o->calls[a].task) > o->calls[a].index;
}

bool dh_porder_concurrent(const struct dh_porder *o, uint32_t a, uint32_t b)
{
	return a != b && !dh_porder_before(o, a, b) && !dh_porder_before(o, b, a);
}

uint32_t dh_porder_find(const struct dh_porder *o, uint32_t task, uint32_t index)
{
	if (task >= o->n_tasks || index >= o->tasks[task].n)
		return DH_NO_CALL;
	return o->tasks[task].calls[index];
}

/* A copy of the clock with room for n components, at the end of words. */
static uint32_t copy_clock(struct dh_porder *o, uint32_t from, uint32_t n)
{
	struct dh_porder_clock c = {.at = o->n_words, .n = DH_MAX(n, o->clocks[from].n)};
	size_t need = o->n_words + c.n;

	if (need > o->cap_words) {
		o->cap_words = DH_MAX(need, o->cap_words * 2);
		o->words = dh_reallocarray(o->words, o->cap_words, sizeof(*o->words));
	}
	for (uint32_t i = 0; i < c.n; i++)
		o->words[c.at + i] = component(o, from, i);
	o->n_words = need;
	DH_GROW(o->clocks, o->n_clocks, o->cap_clocks);
	o->clocks[o->n_clocks] = c;
	return (uint32_t)o->n_clocks++;
}

/* Whether the clock of task knows all that call c knows. */
static bool knows_all(const struct dh_porder *o, uint32_t clock, uint32_t task, uint32_t c)
{
	const struct dh_porder_call *call = &o->calls[c];

	if (call->task == task)
		return true;
	/* Knowledge is transitive: who knows a call knows what that call knew. */
	return component(o, clock, call->task) > call->index;
}

static void join(struct dh_porder *o, uint32_t clock, uint32_t task, uint32_t c)
{
	const struct dh_porder_call *call = &o->calls[c];
	uint32_t *words = o->words + o->clocks[clock].at;
	uint32_t n = o->clocks[call->clock].n;

	for (uint32_t i = 0; i < n; i++) {
		if (i != task)
			words[i] = DH_MAX(words[i], component(o, call->clock, i));
	}
	words[call->task] = DH_MAX(words[call->task], call->index + 1);
}

static uint32_t clock_after(struct dh_porder *o, uint32_t task, const uint32_t *after, size_t n)
{
	uint32_t clock = o->tasks[task].clock, longest = 0;
	bool news = false;

	for (size_t i = 0; i < n; i++) {
		const struct dh_porder_call *call = &o->calls[after[i]];

		if (knows_all(o, clock, task, after[i]))
			continue;
		news = true;
		longest = DH_MAX(longest, DH_MAX(o->clocks[call->clock].n, call->task + 1));
	}
	if (!news)
		return clock;
	clock = copy_clock(o, clock, longest);
	for (size_t i = 0; i < n; i++) {
		if (!knows_all(o, clock, task, after[i]))
			join(o, clock, task, after[i]);
	}
	return clock;
}

uint32_t dh_porder_add(struct dh_porder *o, uint32_t task, const uint32_t *after, size_t n)
{
	uint32_t number = (uint32_t)o->n_calls, begun;
	struct dh_porder_call *c;

	need_task(o, task);
	begun = o->tasks[task].clock;
	o->tasks[task].clock = clock_after(o, task, after, n);
	DH_GROW(o->calls, o->n_calls, o->cap_calls);
	c = &o->calls[o->n_calls++];
	*c = (struct dh_porder_call){.task = task,
		.index = o->tasks[task].n,
		.clock = o->tasks[task].clock,
		.begun = begun,
		.first_dep = (uint32_t)o->n_deps};
	DH_GROW(o->tasks[task].calls, o->tasks[task].n, o->tasks[task].cap);
	o->tasks[task].calls[o->tasks[task].n++] = number;
	return number;
}

void dh_porder_learn(struct dh_porder *o, uint32_t task, uint32_t call)
{
	need_task(o, task);
	o->tasks[task].clock = clock_after(o, task, &call, 1);
}

void dh_porder_add_dep(struct dh_porder *o, uint32_t earlier)
{
	if (earlier + 1 < o->n_calls && !dh_porder_before(o, earlier, (uint32_t)o->n_calls - 1))
		dh_porder_add_seen(o, earlier);
}

void dh_porder_add_seen(struct dh_porder *o, uint32_t earlier)
{
	struct dh_porder_call *c = &o->calls[o->n_calls - 1];

	for (uint32_t i = 0; i < c->n_deps; i++) {
		uint32_t *dep = &o->deps[c->first_dep + i];

		if (o->calls[*dep].task == o->calls[earlier].task) {
			*dep = DH_MAX(*dep, earlier);
			return;
		}
	}
	DH_GROW(o->deps, o->n_deps, o->cap_deps);
	o->deps[o->n_deps++] = earlier;
	c->n_deps++;
}

void dh_porder_add_strike(
	struct dh_porder *o, uint32_t sender, uint32_t task, uint32_t index, bool inside)
{
	uint32_t reached = 0;

	need_task(o, task);
	while (reached < index && dh_porder_find(o, task, reached) < sender)
		reached++;
	DH_GROW(o->strikes, o->n_strikes, o->cap_strikes);
	o->strikes[o->n_strikes++] = (struct dh_porder_strike){.sender = sender,
		.task = task,
		.index = index,
		.reached = reached,
		.inside = inside && reached == index && index < o->tasks[task].n};
}

const uint32_t *dh_porder_deps(const struct dh_porder *o, uint32_t c, size_t *ret_n)
{
	*ret_n = o->calls[c].n_deps;
	return *ret_n ? o->deps + o->calls[c].first_dep : NULL;
}
