#include "fuzz/ddmin.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct search {
	size_t n;
	uint8_t *keep, *trial;
	size_t *items; /* that are kept and may go, in order */
	size_t n_items;
	dh_ddmin_test test;
	void *arg;
	size_t tests, max_tests;
};

static void list_items(struct search *s, const uint8_t *fixed)
{
	s->n_items = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->keep[i] && !(fixed && fixed[i]))
			s->items[s->n_items++] = i;
	}
}

/* Without the items [from, to), or with only them, the property is still there: then so be it. */
static bool try(struct search *s, size_t from, size_t to, bool only)
{
	if (s->tests == s->max_tests)
		return false;
	s->tests++;
	memcpy(s->trial, s->keep, s->n);
	for (size_t i = 0; i < s->n_items; i++) {
		if ((i >= from && i < to) != only)
			s->trial[s->items[i]] = 0;
	}
	if (!s->test(s->arg, s->trial))
		return false;
	memcpy(s->keep, s->trial, s->n);
	return true;
}

/* One round over all chunks: "reduce to subset", then "reduce to complement". */
static bool reduce(struct search *s, size_t chunks, bool only)
{
	for (size_t c = 0; c < chunks; c++) {
		size_t from = s->n_items * c / chunks, to = s->n_items * (c + 1) / chunks;

		if (from < to && try(s, from, to, only))
			return true;
	}
	return false;
}

size_t dh_ddmin(size_t n, uint8_t *keep, const uint8_t *fixed, dh_ddmin_test test, void *arg,
	size_t max_tests)
{
	struct search s = {.n = n,
		.keep = keep,
		.trial = dh_alloc(n + 1),
		.items = dh_new_n(size_t, n + 1),
		.test = test,
		.arg = arg,
		.max_tests = max_tests};
	size_t chunks = 2;

	list_items(&s, fixed);
	if (s.n_items && try(&s, 0, s.n_items, false))
		s.n_items = 0; /* nothing of it is needed */
	while (s.n_items > 1 && s.tests < max_tests) {
		if (reduce(&s, chunks, true)) {
			chunks = 2;
		} else if (chunks > 2 && reduce(&s, chunks, false)) {
			chunks--;
		} else if (chunks < s.n_items) {
			chunks = DH_MIN(chunks * 2, s.n_items);
			continue;
		} else {
			break;
		}
		list_items(&s, fixed);
		chunks = DH_MAX(2, DH_MIN(chunks, s.n_items));
	}
	free(s.trial);
	free(s.items);
	return s.tests;
}

/* The next set of k out of n, so that all sets of the first m things come before those with a
 * further one.  False after the last. */
static bool next_set(size_t *set, size_t k, size_t n)
{
	size_t i = 0;

	while (i < k && set[i] + 1 == (i + 1 < k ? set[i + 1] : n))
		i++;
	if (i == k)
		return false;
	set[i]++;
	for (size_t j = 0; j < i; j++)
		set[j] = j;
	return true;
}

/* All sets of k.  True when one has the property, and keep is that. */
static bool try_sets(struct search *s, size_t *set, size_t k)
{
	for (size_t i = 0; i < k; i++)
		set[i] = i;
	do {
		if (s->tests == s->max_tests)
			return false;
		s->tests++;
		memcpy(s->trial, s->keep, s->n);
		for (size_t i = 0; i < s->n_items; i++)
			s->trial[s->items[i]] = 0;
		for (size_t i = 0; i < k; i++)
			s->trial[s->items[set[i]]] = 1;
		if (s->test(s->arg, s->trial)) {
			memcpy(s->keep, s->trial, s->n);
			return true;
		}
	} while (next_set(set, k, s->n_items));
	return false;
}

size_t dh_fewest(size_t n, uint8_t *keep, const size_t *items, size_t n_items, dh_ddmin_test test,
	void *arg, size_t max_tests, bool *ret_all)
{
	struct search s = {.n = n,
		.keep = keep,
		.trial = dh_alloc(n + 1),
		.items = dh_memdup(items, n_items * sizeof(*items)),
		.n_items = n_items,
		.test = test,
		.arg = arg,
		.max_tests = max_tests};
	size_t *set = dh_new_n(size_t, n_items + 1), kept = 0;
	bool found = false;

	for (size_t i = 0; i < n_items; i++)
		kept += keep[items[i]] != 0;
	for (size_t k = 1; !found && k < kept && s.tests < max_tests; k++)
		found = try_sets(&s, set, k);
	*ret_all = found || s.tests < max_tests;
	free(set);
	free(s.trial);
	free(s.items);
	return s.tests;
}
