/* Delta debugging: the fewest of n things that together still have a property.
 *
 * Zeller and Hildebrandt's ddmin, on a set of flags.  The result is 1-minimal unless the tests run
 * out: taking away any single thing loses the property.  Pure; the test decides. */
#pragma once
#include "base/forward.h"

/* True when the things with keep[i] != 0 still have it.  Negative results need not be certain: what
 * the test loses by chance is kept. */
typedef bool (*dh_ddmin_test)(void *arg, const uint8_t *keep);

/* keep[0..n) says at first what has the property already (the test is not asked), at the end what
 * is left.  fixed[i] != 0: never tried without; NULL: all may go.  Asks at most max_tests times;
 * the number of tests. */
size_t dh_ddmin(size_t n, uint8_t *keep, const uint8_t *fixed, dh_ddmin_test test, void *arg,
	size_t max_tests);

/* ddmin ends where no single thing can go, which need not be the fewest.  This tries all smaller
 * sets of the listed things (indices, the most promising first), those of one, then of two, and so
 * on, until one has the property or the tests are used up.  keep[i] stays for what is not listed.
 * The number of tests; *ret_all says whether every smaller set was tried, or one was found. */
size_t dh_fewest(size_t n, uint8_t *keep, const size_t *items, size_t n_items, dh_ddmin_test test,
	void *arg, size_t max_tests, bool *ret_all);
