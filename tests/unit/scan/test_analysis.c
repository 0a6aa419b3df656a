/* The analysis on programs built by hand: a race and its locked twin, a trylock whose result
 * decides, a deadlock and its ordered twin; the tables and the statistics. */
#include "../unit.h"

#include "base/error.h"
#include "model/finding.h"
#include "scan/analysis/stats.h"
#include "scan/analysis/table.h"
#include "scan/ir/build.h"
#include "scan/scan.h"

static struct dh_scan_program *p;
static unsigned n_found[DH_KIND_COUNT];

static int set_up(void **state)
{
	p = dh_scan_program_new();
	memset(n_found, 0, sizeof(n_found));
	return 0;
}

static int tear_down(void **state)
{
	dh_scan_program_free(p);
	return 0;
}

static void count(void *arg, struct dh_finding *f)
{
	assert_true(f->n_sites > 0 && f->fingerprint[0]);
	n_found[f->kind]++;
	dh_finding_free(f);
}

static void analyse(void)
{
	struct dh_scan_options o = {0};
	struct dh_scan_sink sink = {.finding = count};
	struct dh_error err = DH_ERROR_INIT;

	assert_int_equal(dh_scan_analyse(p, &o, &sink, &err), 0);
}

static uint32_t address(const char *name)
{
	return dh_scan_global(p, dh_scan_variable(p, name));
}

static uint32_t call(struct dh_scan_build *b, const char *name, const uint32_t *args, size_t n)
{
	return dh_scan_build_call(b, dh_scan_global(p, dh_scan_function_symbol(p, name)), args, n);
}

static void call1(struct dh_scan_build *b, const char *name, uint32_t arg)
{
	call(b, name, &arg, 1);
}

static void increment(struct dh_scan_build *b, const char *name)
{
	uint32_t at = address(name), old = dh_scan_load(p, at);

	dh_scan_build_access(b, DH_SCAN_READ, at, 0, 4);
	dh_scan_build_access(
		b, DH_SCAN_WRITE, at, dh_scan_binary(p, DH_SCAN_ADD, old, dh_scan_const(p, 1)), 4);
}

static struct dh_scan_build *begin(const char *name, uint32_t line)
{
	return dh_scan_build_new(p, dh_scan_function_symbol(p, name), "a.c", line);
}

static void end(struct dh_scan_build *b)
{
	dh_scan_build_return(b, 0);
	dh_scan_build_end(b);
}

/* main: two threads, of these functions. */
static void two_threads(const char *first, const char *second)
{
	const char *const start[] = {first, second}, *const id[] = {"id1", "id2"};
	struct dh_scan_build *b = begin("main", 100);

	for (int i = 0; i < 2; i++) {
		uint32_t args[] = {address(id[i]), dh_scan_const(p, 0),
			dh_scan_global(p, dh_scan_function_symbol(p, start[i])),
			dh_scan_const(p, 0)};

		dh_scan_build_at(b, 101 + (uint32_t)i, 1, NULL);
		call(b, "pthread_create", args, 4);
	}
	end(b);
}

static void worker(const char *name, const char *lock)
{
	struct dh_scan_build *b = begin(name, 10);

	dh_scan_build_at(b, 12, 1, NULL);
	if (lock)
		call1(b, "pthread_mutex_lock", address(lock));
	dh_scan_build_at(b, 13, 1, NULL);
	increment(b, "counter");
	if (lock)
		call1(b, "pthread_mutex_unlock", address(lock));
	end(b);
}

static void test_race(void **state)
{
	worker("work", NULL);
	two_threads("work", "work");
	analyse();
	assert_int_equal(n_found[DH_KIND_DATA_RACE], 1);
}

static void test_locked_twin(void **state)
{
	worker("work", "m");
	two_threads("work", "work");
	analyse();
	assert_int_equal(n_found[DH_KIND_DATA_RACE], 0);
	assert_int_equal(n_found[DH_KIND_LOCK_MISUSE], 0);
}

static void test_different_locks(void **state)
{
	worker("one", "m");
	worker("two", "n");
	two_threads("one", "two");
	analyse();
	assert_int_equal(n_found[DH_KIND_DATA_RACE], 1);
}

/* if (trylock() == 0) counter++, unlock; or the other way round. */
static void tries(bool right)
{
	struct dh_scan_build *b = begin("work", 10);
	uint32_t m = address("m"), s = call(b, "pthread_mutex_trylock", &m, 1);
	uint32_t yes = dh_scan_build_block(b), no = dh_scan_build_block(b);

	dh_scan_build_branch(b,
		dh_scan_compare(p, right ? DH_SCAN_EQ : DH_SCAN_NE, dh_scan_call(p, s),
			dh_scan_const(p, 0)),
		yes, no);
	dh_scan_build_select(b, yes);
	increment(b, "counter");
	if (right)
		call1(b, "pthread_mutex_unlock", m);
	dh_scan_build_return(b, 0);
	dh_scan_build_select(b, no);
	end(b);
	two_threads("work", "work");
	analyse();
}

static void test_trylock(void **state)
{
	tries(true);
	assert_int_equal(n_found[DH_KIND_DATA_RACE], 0);
}

static void test_trylock_wrong_way(void **state)
{
	tries(false);
	assert_int_equal(n_found[DH_KIND_DATA_RACE], 1);
}

static void takes(const char *name, const char *first, const char *second)
{
	struct dh_scan_build *b = begin(name, 10);

	call1(b, "pthread_mutex_lock", address(first));
	call1(b, "pthread_mutex_lock", address(second));
	call1(b, "pthread_mutex_unlock", address(second));
	call1(b, "pthread_mutex_unlock", address(first));
	end(b);
}

static void test_deadlock(void **state)
{
	takes("one", "m", "n");
	takes("two", "n", "m");
	two_threads("one", "two");
	analyse();
	assert_int_equal(n_found[DH_KIND_DEADLOCK], 1);
}

static void test_one_order(void **state)
{
	takes("one", "m", "n");
	takes("two", "m", "n");
	two_threads("one", "two");
	analyse();
	assert_int_equal(n_found[DH_KIND_DEADLOCK], 0);
}

static void test_rules(void **state)
{
	struct dh_scan_table *t = dh_scan_table_new();
	struct dh_error err = DH_ERROR_INIT;
	const struct dh_scan_rule *r;

	assert_int_equal(
		dh_scan_table_parse(t, "x",
			"acquire my_* 2 spin # comment\n\nscore write 7\nsingle *_init\n", &err),
		0);
	r = dh_scan_table_find(t, "my_lock");
	assert_non_null(r);
	assert_int_equal(r->arg[0], 2);
	assert_int_equal(r->words, DH_SW_SPIN);
	assert_null(dh_scan_table_find(t, "your_lock"));
	assert_true(dh_scan_table_number(t, DH_SV_SCORE, "write", 1) == 7);
	assert_int_equal(dh_scan_table_annotation(t, "disk_init"), DH_SV_SINGLE);
	assert_true(dh_scan_table_parse(t, "x", "acquire\n", &err) < 0);
	assert_true(dh_scan_table_parse(t, "x", "acquire f\n", &err) < 0);
	assert_true(dh_scan_table_parse(t, "x", "\nbreak f 1\n", &err) < 0);
	assert_non_null(strstr(err.text, "x:2:"));
	for (const char *const *n = dh_scan_profile_names(); *n; n++)
		assert_int_equal(dh_scan_table_profile(t, *n, &err), 0);
	dh_scan_table_free(t);
}

static void test_statistics(void **state)
{
	assert_true(dh_scan_z(0, 0, 0.8) == 0);
	assert_true(dh_scan_z(100, 100, 0.8) > 4.9 && dh_scan_z(100, 100, 0.8) < 5.1);
	assert_true(dh_scan_z(1, 10, 0.8) < -2);
	assert_true(dh_scan_p_low(0, 5, 0.95) < 0.17);
	assert_true(dh_scan_p_low(5, 5, 0.95) > 0.17);
	assert_true(dh_scan_p_high(5, 5, 0.05) < 0.17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_race, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_locked_twin, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_different_locks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trylock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trylock_wrong_way, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deadlock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_order, set_up, tear_down),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
