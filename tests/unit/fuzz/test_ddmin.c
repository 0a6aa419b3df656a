/* Delta debugging against properties whose minimal sets are known. */
#include "../unit.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fuzz/ddmin.h"

struct property {
	size_t n;
	const size_t *needed; /* all of these */
	size_t n_needed;
	size_t asked;
};

static bool has_all(void *arg, const uint8_t *keep)
{
	struct property *p = arg;

	p->asked++;
	for (size_t i = 0; i < p->n_needed; i++) {
		if (!keep[p->needed[i]])
			return false;
	}
	return true;
}

static void expect_minimum(size_t n, const size_t *needed, size_t n_needed)
{
	struct property p = {n, needed, n_needed, 0};
	DH_FREE uint8_t *keep = dh_alloc(n + 1);
	size_t tests, left = 0;

	memset(keep, 1, n);
	tests = dh_ddmin(n, keep, NULL, has_all, &p, 100000);
	assert_int_equal(tests, p.asked);
	for (size_t i = 0; i < n; i++)
		left += keep[i];
	assert_int_equal(left, n_needed);
	assert_true(has_all(&p, keep));
}

static void test_finds_what_is_needed(void **state)
{
	static const size_t none[1], one[] = {7}, two[] = {0, 99}, many[] = {3, 4, 50, 51, 77};

	expect_minimum(100, none, 0);
	expect_minimum(1, none, 0);
	expect_minimum(0, none, 0);
	expect_minimum(8, one, 1);
	expect_minimum(100, two, 2);
	expect_minimum(1000, many, 5);
	expect_minimum(100, many, 5);
}

/* Few things among many are found with far fewer tests than things. */
static void test_is_logarithmic(void **state)
{
	static const size_t needed[] = {4711};
	struct property p = {10000, needed, 1, 0};
	DH_FREE uint8_t *keep = dh_alloc(10000);

	memset(keep, 1, 10000);
	assert_true(dh_ddmin(10000, keep, NULL, has_all, &p, 1000) < 60);
	assert_int_equal(keep[4711], 1);
	assert_int_equal(keep[4712], 0);
}

static void test_budget_ends_it(void **state)
{
	static const size_t needed[] = {1, 30, 60, 90};
	struct property p = {100, needed, 4, 0};
	uint8_t keep[100];

	memset(keep, 1, sizeof(keep));
	assert_int_equal(dh_ddmin(100, keep, NULL, has_all, &p, 5), 5);
	assert_int_equal(p.asked, 5);
	assert_true(has_all(&p, keep));
}

static void test_fixed_ones_stay(void **state)
{
	static const size_t needed[] = {5};
	struct property p = {20, needed, 1, 0};
	uint8_t keep[20], fixed[20] = {[2] = 1, [5] = 1, [19] = 1};

	memset(keep, 1, sizeof(keep));
	keep[3] = 0; /* what is gone stays gone */
	dh_ddmin(20, keep, fixed, has_all, &p, 1000);
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(keep[i], i == 2 || i == 5 || i == 19);
}

/* Either of two pairs will do: one of them is left, whole. */
static bool has_a_pair(void *arg, const uint8_t *keep)
{
	return (keep[1] && keep[2]) || (keep[8] && keep[9]);
}

static void test_alternatives(void **state)
{
	uint8_t keep[10];
	size_t left = 0;

	memset(keep, 1, sizeof(keep));
	dh_ddmin(10, keep, NULL, has_a_pair, NULL, 1000);
	for (size_t i = 0; i < 10; i++)
		left += keep[i];
	assert_int_equal(left, 2);
	assert_true(has_a_pair(NULL, keep));
}

/* Either three things, where ddmin may end, or the one that is fewer. */
static bool has_three_or_one(void *arg, const uint8_t *keep)
{
	++*(size_t *)arg;
	return (keep[0] && keep[1] && keep[2]) || (keep[7] && !keep[0]);
}

static void test_fewest(void **state)
{
	static const size_t items[] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, needed[] = {2, 5};
	uint8_t keep[11] = {1, 1, 1, [10] = 1};
	struct property p = {11, needed, 2, 0};
	size_t asked = 0;
	bool all = false;

	assert_int_equal(dh_fewest(11, keep, items, 10, has_three_or_one, &asked, 100, &all), 3);
	assert_int_equal(asked, 3);
	assert_true(all);
	for (size_t i = 0; i < 11; i++)
		assert_int_equal(keep[i], i == 7 || i == 10);
	/* Nothing is smaller than what is needed: all single ones are tried, and the result stays.
	 */
	memset(keep, 0, sizeof(keep));
	keep[2] = keep[5] = 1;
	assert_int_equal(dh_fewest(11, keep, items, 10, has_all, &p, 100, &all), 10);
	assert_true(all && keep[2] && keep[5]);
	/* Fewer tests than sets: it does not say that all were tried. */
	assert_int_equal(dh_fewest(11, keep, items, 10, has_all, &p, 4, &all), 4);
	assert_false(all);
	keep[1] = keep[3] = 1;
	assert_true(dh_fewest(11, keep, items, 10, has_all, &p, 100, &all) > 10);
	assert_true(all && keep[2] && keep[5] && !keep[1] && !keep[3]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_what_is_needed),
		cmocka_unit_test(test_is_logarithmic),
		cmocka_unit_test(test_budget_ends_it),
		cmocka_unit_test(test_fixed_ones_stay),
		cmocka_unit_test(test_alternatives),
		cmocka_unit_test(test_fewest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
