#include "fuzz/interleave.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"

/* Lines of one thread in a row that are told at the beginning and at the end. */
#define HEAD 3
#define TAIL 3

void dh_moments_release(struct dh_moments *m)
{
	free(m->items);
	*m = (struct dh_moments){0};
}

static void add(struct dh_moments *m, enum dh_mark mark, size_t point, uint32_t to)
{
	DH_GROW(m->items, m->n, m->cap);
	m->items[m->n++] = (struct dh_moment){mark, point, to, 1};
}

/* A line that only repeats the one before is counted there. */
static void add_done(struct dh_moments *m, const struct dh_sched_step *log, size_t point,
	bool (*same)(void *arg, size_t i, size_t j), void *arg)
{
	struct dh_moment *last = m->n ? &m->items[m->n - 1] : NULL;

	if (last && last->mark == DH_MARK_DOES && log[last->point].thread == log[point].thread &&
		same(arg, last->point, point))
		last->times++;
	else
		add(m, DH_MARK_DOES, point, 0);
}

/* What a thread does between two switches: how it begins and how it ends is enough. */
static void fold(struct dh_moments *m, const struct dh_sched_step *log)
{
	size_t kept = 0, i = 0;

	while (i < m->n) {
		size_t n = 1;

		while (i + n < m->n &&
			log[m->items[i + n].point].thread == log[m->items[i].point].thread)
			n++;
		for (size_t k = 0; k < n; k++) {
			m->items[kept++] = m->items[i + k];
			if (k + 1 != HEAD || n <= HEAD + TAIL + 1)
				continue;
			m->items[kept++] = (struct dh_moment){DH_MARK_GAP,
				m->items[i + k + 1].point, 0, (uint32_t)(n - HEAD - TAIL)};
			k = n - TAIL - 1;
		}
		i += n;
	}
	m->n = kept;
}

/* How much a line matters; the end of the log counts like a preemption. */
static void weigh(const struct dh_moments *m, uint32_t *weight)
{
	uint32_t w = 0;

	/* Distance to what comes before counts double: what leads to a switch explains it. */
	for (size_t i = 0; i < m->n; i++) {
		w = m->items[i].mark == DH_MARK_HELD ? 1000 : w > 40 ? w - 40 : 0;
		weight[i] = w;
	}
	w = 1000;
	for (size_t i = m->n; i-- > 0;) {
		w = m->items[i].mark == DH_MARK_HELD ? 1000 : w > 20 ? w - 20 : 0;
		weight[i] = DH_MAX(weight[i], w);
	}
}

static int compare_weights(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

/* Keeps the max lines that weigh most, in their order. */
static void shorten(struct dh_moments *m, size_t max)
{
	DH_FREE uint32_t *weight = dh_new_n(uint32_t, m->n + 1);
	DH_FREE uint32_t *sorted = NULL;
	size_t kept = 0, ties, above = 0;
	uint32_t least;

	if (m->n <= max)
		return;
	weigh(m, weight);
	sorted = dh_memdup(weight, m->n * sizeof(*weight));
	qsort(sorted, m->n, sizeof(*sorted), compare_weights);
	least = sorted[max - 1];
	while (above < max && sorted[above] > least)
		above++;
	ties = max - above; /* of equals, the latest: the end matters */
	for (size_t i = m->n; i-- > 0;) {
		if (weight[i] == least && ties)
			ties--;
		else if (weight[i] <= least)
			weight[i] = 0, m->items[i].times = 0;
	}
	for (size_t i = 0; i < m->n; i++) {
		if (m->items[i].times)
			m->items[kept++] = m->items[i];
	}
	m->skipped = m->n - kept;
	m->n = kept;
}

/* A point at which the thread gives way has two entries: that it came there, and the switch. */
static bool told_by_next(const struct dh_sched_step *log, size_t n, size_t i)
{
	return i + 1 < n && log[i + 1].thread == log[i].thread &&
	       log[i + 1].point == log[i].point && log[i].point && !(log[i].flags & DH_STEP_SWITCH);
}

/* What a thread tried in vain, and now waits for, it has not done. */
static void drop_attempt(struct dh_moments *m, const struct dh_sched_step *log, size_t i)
{
	const struct dh_moment *last = m->n ? &m->items[m->n - 1] : NULL;
	const struct dh_sched_step *s = &log[i];

	if (last && last->mark == DH_MARK_DOES && !(s->flags & DH_STEP_PREEMPT) &&
		s->op != DH_OP_ACCESS && s->op != DH_OP_ATOMIC &&
		log[last->point].thread == s->thread && log[last->point].op == s->op &&
		log[last->point].object == s->object)
		m->n--;
}

void dh_interleave(const struct dh_sched_step *log, size_t n,
	bool (*same)(void *arg, size_t i, size_t j), void *arg, size_t max, struct dh_moments *ret)
{
	struct dh_map waiting = DH_MAP_INIT; /* thread -> entry that it has yet to do */

	*ret = (struct dh_moments){0};
	for (size_t i = 0; i < n; i++) {
		const struct dh_sched_step *s = &log[i];
		uint64_t at;

		if (s->flags & (DH_STEP_CHOICE | DH_STEP_RETURN) || told_by_next(log, n, i))
			continue;
		if (!(s->flags & DH_STEP_SWITCH)) {
			add_done(ret, log, i, same, arg);
			continue;
		}
		if (s->op == DH_OP_EXIT) {
			add_done(ret, log, i, same, arg);
		} else {
			drop_attempt(ret, log, i);
			add(ret, s->flags & DH_STEP_PREEMPT ? DH_MARK_HELD : DH_MARK_BLOCKS, i,
				s->next);
			dh_map_set(&waiting, s->thread, i);
		}
		if (dh_map_get(&waiting, s->next, &at)) {
			dh_map_del(&waiting, s->next);
			add_done(ret, log, (size_t)at, same, arg);
		}
	}
	dh_map_release(&waiting);
	fold(ret, log);
	shorten(ret, max);
}
