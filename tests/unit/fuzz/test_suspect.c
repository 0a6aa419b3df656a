/* From counts to verdicts, and the differences of outputs. */
#include "../unit.h"

#include "base/buf.h"
#include "fuzz/diff.h"
#include "fuzz/suspect.h"

static void test_levels(void **state)
{
	struct dh_suspect s = {.kind = DH_CAND_RACE};

	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_PREDICTED);
	s.tries = 99;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_PREDICTED);
	s.tries = 100;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_REFUTED);
	s.undecided = 60; /* runs that say nothing refute nothing */
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_PREDICTED);
	s.undecided = 0;
	s.created = 50;
	s.orders[0] = 50;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_CONFIRMED);
	s.orders[1] = 1;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_BENIGN);
	assert_int_equal(dh_suspect_level(&s, 101), DH_LEVEL_CONFIRMED);
	s.differed = 1; /* another output is a difference */
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_CONFIRMED);
	s.kind = DH_CAND_ATOMICITY; /* whether it was meant to be atomic, only harm tells */
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_OBSERVED);
	s.differed = 0;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_BENIGN);
	s.failed = 1;
	assert_int_equal(dh_suspect_level(&s, 100), DH_LEVEL_HARMFUL);
}

static void test_early_end(void **state)
{
	struct dh_suspect s = {.kind = DH_CAND_RACE, .tries = 19, .created = 19, .failed = 19};

	assert_false(dh_suspect_decided(&s, 100));
	s.tries = 20;
	assert_true(dh_suspect_decided(&s, 100));
	s.failed = 0;
	assert_false(dh_suspect_decided(&s, 100));
	s.tries = 100;
	assert_true(dh_suspect_decided(&s, 100));
	s.tries = 5;
	s.failed = 1;
	assert_true(dh_suspect_decided(&s, 5));
}

static void differs(const char *was, const char *is, const char *expected)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	dh_output_diff(was, strlen(was), is, strlen(is), 2, &b);
	assert_string_equal(dh_buf_str(&b), expected);
}

static void test_diff(void **state)
{
	differs("a\nb\nc\n", "a\nb\nc\n", "");
	differs("a\nb\nc\n", "a\nx\nc\n", "line 2:\n-b\n+x\n");
	differs("a\n", "a\nb\n", "line 2:\n+b\n");
	differs("a\nb\n", "", "line 1:\n-a\n-b\n");
	differs("1\n2\n3\n4\n", "", "line 1:\n-1\n-2\n-(2 more lines)\n");
	differs("a\x1b[1m\n", "a\n", "line 1:\n-a?[1m\n+a\n");
	differs("a\n", "a", "only the newline at the end differs\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_early_end),
		cmocka_unit_test(test_diff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
