/* The histories that races are taken from: that of the recording, and those of branches, whose new
 * races are explored as well (RacePro, sections 5.3.4 and 6.2). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "explore/campaign.h"
#include "explore/history.h"
#include "explore/race.h"

/* What calls are called in every execution: the place of the task in the tree, what the call is,
 * and the how manieth of its kind. */
struct names {
	uint64_t *names;     /* by call */
	struct dh_map calls; /* name -> call + 1 */
};

static uint64_t hash3(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t all[] = {a, b, c};

	return XXH3_64bits(all, sizeof(all));
}

static void name_calls(const struct dh_history *h, struct names *ret)
{
	DH_FREE uint64_t *tasks = dh_new_n(uint64_t, h->n_tasks + 1);
	struct dh_map counts = DH_MAP_INIT;

	ret->names = dh_new_n(uint64_t, h->n_calls + 1);
	ret->calls = DH_MAP_INIT;
	for (uint32_t i = 0; i < h->n_tasks; i++) { /* parents have lower numbers */
		const struct dh_hist_task *t = &h->tasks[i];

		tasks[i] = hash3(t->parent == DH_NO_TASK ? 0 : tasks[t->parent], t->nth, 0);
	}
	for (uint32_t i = 0; i < h->n_calls; i++) {
		uint64_t kind = hash3(tasks[h->calls[i].task], h->calls[i].key, 0), n = 0;

		dh_map_get(&counts, kind, &n);
		dh_map_set(&counts, kind, n + 1);
		ret->names[i] = hash3(kind, n, 1);
		dh_map_set(&ret->calls, ret->names[i], i + 1);
	}
	dh_map_release(&counts);
}

static void names_release(struct names *n)
{
	free(n->names);
	dh_map_release(&n->calls);
}

/* Both orders of a pair are one race. */
static uint64_t signature(const struct names *names, const struct dh_race *r)
{
	uint64_t hash = (uint64_t)r->kind, sum = 0;

	for (uint32_t i = 0; i < r->n_calls; i++) {
		sum += names->names[r->calls[i]];
		if (r->n_calls == 3)
			hash = hash3(hash, names->names[r->calls[i]], i);
	}
	return hash3(hash, sum, r->n_calls);
}

static struct level *add(struct campaign *c, struct level *l)
{
	*c->last_level = l;
	c->last_level = &l->next;
	return l;
}

/* What is decided holds for the failures that were looked for. */
static char *key_of_checks(const struct dh_explore_options *o)
{
	DH_BUF struct dh_buf key = DH_BUF_INIT;

	if (o->check)
		dh_buf_addf(&key, "check %s\n", o->check);
	if (o->during)
		dh_buf_addf(&key, "during %s\n", o->during);
	if (o->log_errors)
		dh_buf_addf(&key, "log %s\n", o->log_errors);
	for (size_t i = 0; i < o->n_same; i++)
		dh_buf_addf(&key, "same %s\n", o->same[i]);
	return dh_strdup(dh_buf_str(&key));
}

struct level *dh_level_first(
	struct campaign *c, const struct dh_history *h, const struct dh_races *races)
{
	struct level *l = dh_new(struct level);
	struct names names;

	name_calls(h, &names);
	l->signatures = dh_new_n(uint64_t, races->n + 1);
	l->n_new = l->next_known = races->n;
	for (size_t i = 0; i < races->n; i++) {
		l->signatures[i] = signature(&names, &races->races[i]);
		dh_map_set(&c->seen, l->signatures[i], names.names[races->races[i].calls[0]]);
	}
	names_release(&names);
	l->at = (struct dh_trial){.h = h, .dir = c->o->dir};
	l->races = races;
	l->key = key_of_checks(c->o);
	c->levels = NULL;
	c->last_level = &c->levels;
	return add(c, l);
}

/* The call of the new history that stands for one of the old; DH_NO_CALL: none. */
static uint32_t translate(const struct names *from, const struct names *to, uint32_t call)
{
	uint64_t found;

	return dh_map_get(&to->calls, from->names[call], &found) ? (uint32_t)found - 1 : DH_NO_CALL;
}

static void add_order(struct level *l, uint32_t first, uint32_t then)
{
	if (first != DH_NO_CALL && then != DH_NO_CALL)
		l->orders[l->at.n_orders++] = (struct dh_branch_order){first, then};
}

/* What was turned around on the way, in terms of the new history. */
static void take_orders(struct level *l, const struct level *from, const struct names *to)
{
	const struct dh_trial *t = &l->from;
	struct dh_branch b;
	struct names names;

	name_calls(t->h, &names);
	l->orders = dh_new_n(struct dh_branch_order, t->n_orders + DH_RACE_CALLS);
	for (uint32_t i = 0; i < t->n_orders; i++)
		add_order(l, translate(&names, to, t->orders[i].first),
			translate(&names, to, t->orders[i].then));
	if (dh_branch_make(&from->at.h->order, t->race, t->orders, t->n_orders, &b) == 0) {
		for (uint32_t i = 1; i < b.n_anchors; i++)
			add_order(l, translate(&names, to, b.anchors[i - 1]),
				translate(&names, to, b.anchors[i]));
		dh_branch_release(&b);
	}
	l->at.orders = l->orders;
	names_release(&names);
}

/* A race that was met before is worth another try together with this flip, unless it went the other
 * way here anyway, or the same races have been taken together in another order. */
static bool combines(struct campaign *c, const struct level *l, uint64_t name, bool as_before)
{
	uint64_t all = hash3(l->flips + name, l->depth, 2);

	if (!as_before || dh_map_get(&c->seen, all, NULL))
		return false;
	dh_map_set(&c->seen, all, 1);
	return true;
}

/* Those that no history before had first, then those to combine; all in the order of promise. */
static void choose_races(struct campaign *c, struct level *l, const struct names *names)
{
	struct dh_races *races = &l->own_races;
	DH_FREE struct dh_race *known = dh_new_n(struct dh_race, races->n + 1);
	DH_FREE uint64_t *known_names = dh_new_n(uint64_t, races->n + 1);
	size_t n = 0, n_known = 0;

	l->signatures = dh_new_n(uint64_t, races->n + 1);
	for (size_t i = 0; i < races->n; i++) {
		const struct dh_race *r = &races->races[i];
		uint64_t name = signature(names, r), first = names->names[r->calls[0]], before;

		if (!dh_map_get(&c->seen, name, &before)) {
			dh_map_set(&c->seen, name, first);
			l->signatures[n] = name;
			races->races[n++] = *r;
		} else if (combines(c, l, name, before == first)) {
			known_names[n_known] = name;
			known[n_known++] = *r;
		}
	}
	l->n_new = l->next_known = n;
	for (size_t i = 0; i < n_known; i++, n++) {
		l->signatures[n] = known_names[i];
		races->races[n] = known[i];
	}
	races->n = n;
}

static void level_free(struct level *l)
{
	dh_races_release(&l->own_races);
	dh_history_free(l->own_history);
	free(l->orders);
	free(l->signatures);
	free(l->done);
	free(l->dir);
	free(l->key);
	free(l);
}

int dh_level_add(
	struct campaign *c, const struct level *from, size_t race, const char *dir, const char *key)
{
	struct level *l = dh_new(struct level);
	struct names names;
	int r = dh_history_load(dir, &l->own_history, c->err);

	if (r < 0) {
		level_free(l);
		return r;
	}
	l->dir = dh_strdup(dir);
	l->key = dh_strdup(key);
	l->from = dh_level_trial(from, race);
	l->at = (struct dh_trial){.h = l->own_history, .dir = l->dir, .before = &l->from};
	l->depth = from->depth + 1;
	l->flips = from->flips + from->signatures[race];
	l->races = &l->own_races;
	dh_races_detect(l->own_history, &l->own_races);
	dh_races_rank(l->own_history, &l->own_races, c->o->skip, c->o->all);
	name_calls(l->own_history, &names);
	choose_races(c, l, &names);
	if (l->own_races.n) {
		take_orders(l, from, &names);
		add(c, l);
	} else {
		level_free(l);
	}
	names_release(&names);
	return 0;
}

void dh_levels_free(struct campaign *c)
{
	while (c->levels) {
		struct level *l = c->levels;

		c->levels = l->next;
		level_free(l);
	}
}

struct dh_trial dh_level_trial(const struct level *l, size_t race)
{
	struct dh_trial t = l->at;

	t.race = &l->races->races[race];
	return t;
}
