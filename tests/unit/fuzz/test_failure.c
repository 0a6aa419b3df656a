/* What a run came to, against what the undisturbed run did. */
#include "../unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "fuzz/failure.h"
#include "fuzz/server.h"

static struct dh_run *run; /* large: not on the stack */
static struct dh_fuzz_failure f;

static void ended(enum dh_sched_end end, int status, const char *text)
{
	memset(run, 0, sizeof(*run));
	run->outcome.end = end;
	run->outcome.status = status;
	snprintf(run->outcome.text, sizeof(run->outcome.text), "%s", text);
}

static enum dh_failure_kind judged(const struct dh_baseline *base)
{
	dh_failure_of(run, base, &f);
	return f.kind;
}

static void test_exit_status(void **state)
{
	struct dh_baseline base = {.known = true, .status = 3};
	uint64_t key;

	ended(DH_END_EXIT, 0, "");
	assert_int_equal(judged(NULL), DH_FAILURE_NONE);
	assert_int_equal(judged(&base), DH_FAILURE_NONE);
	ended(DH_END_EXIT, 3, "");
	assert_int_equal(judged(&base), DH_FAILURE_NONE);
	assert_int_equal(judged(NULL), DH_FAILURE_EXIT);
	ended(DH_END_EXIT, 4, "");
	assert_int_equal(judged(&base), DH_FAILURE_EXIT);
	assert_int_equal(f.status, 4);
	assert_true(dh_failed(&f));
	key = f.key; /* the same one, whatever was expected */
	assert_int_equal(judged(NULL), DH_FAILURE_EXIT);
	assert_true(f.key == key);
}

static void test_crashes(void **state)
{
	struct dh_baseline aborts = {.known = true, .status = 134};
	uint64_t key;

	ended(DH_END_SIGNAL, SIGSEGV, "");
	run->outcome.pc = 1;
	assert_int_equal(judged(NULL), DH_FAILURE_CRASH);
	assert_int_equal(f.status, 139);
	assert_non_null(strstr(f.detail, "SIGSEGV"));
	key = f.key;
	run->outcome.pc = 2; /* elsewhere is another failure */
	assert_int_equal(judged(NULL), DH_FAILURE_CRASH);
	assert_true(f.key != key);
	/* A crash is one, whatever the undisturbed run did. */
	ended(DH_END_SIGNAL, SIGABRT, "");
	assert_int_equal(judged(&aborts), DH_FAILURE_CRASH);
}

static void test_what_the_runtime_says(void **state)
{
	ended(DH_END_ASSERT, 0, "a.c:3: f: Assertion\n `x' failed.\x1b[0m");
	assert_int_equal(judged(NULL), DH_FAILURE_ASSERTION);
	assert_string_equal(f.detail, "a.c:3: f: Assertion `x' failed. [0m");
	ended(DH_END_DEADLOCK, 0, "");
	assert_int_equal(judged(NULL), DH_FAILURE_DEADLOCK);
	assert_string_equal(f.detail, "threads wait for each other");
	ended(DH_END_GIVEN_UP, 0, "no memory");
	assert_int_equal(judged(NULL), DH_FAILURE_UNDECIDED);
	assert_false(dh_failed(&f));
}

/* Only a run that stands still hangs; one that is slow, or was killed by somebody, says nothing. */
static void test_cut_off(void **state)
{
	ended(DH_END_NONE, 0, "");
	run->cut = DH_CUT_TIME;
	run->moving = true;
	assert_int_equal(judged(NULL), DH_FAILURE_UNDECIDED);
	run->moving = false;
	assert_int_equal(judged(NULL), DH_FAILURE_HANG);
	run->cut = DH_CUT_NONE;
	run->status = SIGKILL;
	assert_int_equal(judged(NULL), DH_FAILURE_UNDECIDED);
	run->status = SIGSEGV;
	assert_int_equal(judged(NULL), DH_FAILURE_CRASH);
}

static void test_output(void **state)
{
	struct dh_baseline base = {
		.known = true, .compare = true, .output_hash = 5, .output_size = 2};

	ended(DH_END_EXIT, 0, "");
	run->output_hash = 5;
	run->output_size = 2;
	assert_int_equal(judged(&base), DH_FAILURE_NONE);
	run->output_hash = 6;
	assert_int_equal(judged(&base), DH_FAILURE_OUTPUT);
	base.compare = false;
	assert_int_equal(judged(&base), DH_FAILURE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_crashes),
		cmocka_unit_test(test_what_the_runtime_says),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_output),
	};
	int r;

	run = dh_new(struct dh_run);
	r = cmocka_run_group_tests(tests, NULL, NULL);
	free(run);
	return r;
}
