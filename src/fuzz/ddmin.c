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
