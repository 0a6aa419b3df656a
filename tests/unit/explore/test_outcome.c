/* Outcomes of executions: what counts as a failure, and what undisturbed executions excuse. */
#include "../unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "explore/outcome.h"

#define EXITED(n) ((n) << 8)

static char *const same_names[] = {(char *)"state", (char *)"-"};

static struct dh_outcome outcome(int status, const char *out, const char *err)
{
	struct dh_outcome o = {.status = status, .check = {.status = -1}, .during = {.status = -1}};

	dh_buf_adds(&o.out, out);
	dh_buf_adds(&o.err, err);
	return o;
}

static void add_process(struct dh_outcome *o, const char *command, int status)
{
	o->processes = dh_reallocarray(o->processes, o->n_processes + 1, sizeof(*o->processes));
	o->processes[o->n_processes] = (struct dh_outcome_process){.pid = 7, .status = status};
	strcpy(o->processes[o->n_processes++].command, command);
}

/* Judges `now` against `before`, releases both. */
static enum dh_outcome_failure judge(
	struct dh_outcome before, struct dh_outcome now, size_t n_same, char *ret_what, size_t size)
{
	const struct dh_outcome *list[] = {&before};
	struct dh_expectation e = {list, 1, same_names, n_same, NULL};
	struct dh_buf what = DH_BUF_INIT;
	enum dh_outcome_failure f = dh_outcome_judge(&e, &now, &what);

	snprintf(ret_what, size, "%s", dh_buf_str(&what));
	dh_buf_release(&what);
	dh_outcome_release(&before);
	dh_outcome_release(&now);
	return f;
}

static void test_nothing(void **state)
{
	char what[400];

	(void)state;
	assert_int_equal(judge(outcome(0, "a\n", "error 1\n"), outcome(0, "b\n", "error 22\n"), 0,
				 what, sizeof(what)),
		DH_FAILURE_NONE);
	assert_string_equal(what, "");
}

static void test_crash_and_status(void **state)
{
	struct dh_outcome before = outcome(0, "", ""), now = outcome(EXITED(1), "", "");
	char what[400];

	(void)state;
	add_process(&before, "sh x", 0);
	add_process(&before, "cat db", 0);
	add_process(&now, "sh x", EXITED(1));
	add_process(&now, "cat db", EXITED(1));
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_STATUS);
	assert_string_equal(what,
		"`cat db` (process 7) ended with status 1; the command ended with "
		"status 1");
	now = outcome(0, "", "");
	add_process(&now, "srv", SIGSEGV);
	assert_int_equal(judge(outcome(0, "", ""), now, 0, what, sizeof(what)), DH_FAILURE_CRASH);
	assert_string_equal(what, "`srv` (process 7) was killed by Segmentation fault");
}

static void test_known_failures_are_excused(void **state)
{
	struct dh_outcome before = outcome(0, "", ""), now = outcome(0, "", "");
	char what[400];

	(void)state;
	add_process(&before, "grep x", EXITED(1));
	add_process(&now, "grep x", EXITED(1));
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_NONE);
	before = outcome(0, "", "");
	now = outcome(0, "", "");
	add_process(&before, "grep x", EXITED(1));
	add_process(&now, "grep x", EXITED(1));
	add_process(&now, "grep x", EXITED(1)); /* once more, but the command as a whole is fine */
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_NONE);
	before = outcome(EXITED(1), "", "");
	now = outcome(EXITED(1), "", "");
	add_process(&now, "grep x", EXITED(1));
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_NONE);
}

static void test_hang(void **state)
{
	struct dh_outcome now = outcome(0, "", "");
	char what[400];

	(void)state;
	now.end = DH_END_HUNG;
	now.seconds = 12.5;
	add_process(&now, "wait for it", -1);
	assert_int_equal(judge(outcome(0, "", ""), now, 2, what, sizeof(what)), DH_FAILURE_HANG);
	assert_string_equal(what, "it does not end: `wait for it` (process 7) still runs");
}

static void test_files_and_output(void **state)
{
	struct dh_outcome before = outcome(0, "1\n2\n", ""), now = outcome(0, "1\n2\n", "");
	char what[400];

	(void)state;
	before.same[0] = 11;
	now.same[0] = 12;
	assert_int_equal(judge(before, now, 2, what, sizeof(what)), DH_FAILURE_FILES);
	assert_string_equal(what, "state has other contents");
	assert_int_equal(
		judge(outcome(0, "1\n2\n", ""), outcome(0, "1\n3\n", ""), 2, what, sizeof(what)),
		DH_FAILURE_OUTPUT);
	assert_string_equal(what, "standard output has \"3\" instead of \"2\"");
	assert_int_equal(
		judge(outcome(0, "1\n2\n", ""), outcome(0, "1\n3\n", ""), 1, what, sizeof(what)),
		DH_FAILURE_NONE);
}

static void test_messages(void **state)
{
	char what[400];

	(void)state;
	assert_int_equal(judge(outcome(0, "", "warming up\n"),
				 outcome(0, "", "warming up\ncat: db: No such file or directory\n"),
				 0, what, sizeof(what)),
		DH_FAILURE_MESSAGE);
	assert_string_equal(what, "it says: cat: db: No such file or directory");
}

static void test_check(void **state)
{
	struct dh_outcome before = outcome(0, "", ""), now = outcome(0, "", "");
	char what[400];

	(void)state;
	before.check.status = 0;
	now.check.status = EXITED(2);
	dh_buf_adds(&now.check.out, "one line too few\nmore\n");
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_CHECK);
	assert_string_equal(what, "the check ended with status 2: one line too few");
	before = outcome(0, "", "");
	now = outcome(0, "", "");
	/* None was over in time: that is no failure, and nothing that the others must do. */
	now.during.status = 0;
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_NONE);
	before = outcome(0, "", "");
	now = outcome(0, "", "");
	now.during.status = EXITED(1);
	dh_buf_adds(&now.during.out, "half of it\n");
	assert_false(dh_outcome_is_good(&now));
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_CHECK);
	assert_string_equal(what, "the check during the run ended with status 1: half of it");
	before = outcome(0, "", "");
	now = outcome(0, "", "");
	before.during.status = now.during.status = EXITED(1);
	assert_int_equal(judge(before, now, 0, what, sizeof(what)), DH_FAILURE_NONE);
}

static void test_flaky(void **state)
{
	struct dh_outcome a = outcome(0, "1\n", ""), b = outcome(EXITED(1), "2\n", "");
	const struct dh_outcome *list[] = {&a, &b};
	struct dh_expectation e = {list, 2, same_names, 2, NULL};
	struct dh_outcome now = outcome(EXITED(1), "3\n", "");
	DH_BUF struct dh_buf what = DH_BUF_INIT;

	(void)state;
	a.same[0] = 1;
	b.same[0] = 2;
	now.same[0] = 3;
	assert_true(dh_outcome_unsteady(&e));
	assert_int_equal(dh_outcome_flaky(&e, "undisturbed", &what), 3);
	assert_non_null(strstr(dh_buf_str(&what), "once ended with status 0 and once ended with"));
	assert_non_null(strstr(dh_buf_str(&what), "state differs from run to run"));
	dh_buf_clear(&what);
	/* What nobody knows beforehand blames nobody. */
	assert_int_equal(dh_outcome_judge(&e, &now, &what), DH_FAILURE_NONE);
	/* Ends alike, although what they wrote differs. */
	b.status = 0;
	assert_false(dh_outcome_unsteady(&e));
	/* A check that fails now and then is an end, too. */
	assert_true(dh_outcome_is_good(&b));
	a.check.status = 0;
	b.check.status = EXITED(1);
	assert_false(dh_outcome_is_good(&b));
	assert_true(dh_outcome_unsteady(&e));
	dh_outcome_release(&a);
	dh_outcome_release(&b);
	dh_outcome_release(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_crash_and_status),
		cmocka_unit_test(test_known_failures_are_excused),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_files_and_output),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_flaky),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
