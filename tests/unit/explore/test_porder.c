/* Vector clocks of random executions against reachability in their graph. */
#include "random_order.h"

#define ROUNDS 400

static void agrees_with_the_graph(void **state)
{
	struct random_order r;
	uint64_t seed = 1, ordered = 0, concurrent = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		random_order_init(&r, &seed);
		for (uint32_t a = 0; a < r.n; a++) {
			for (uint32_t b = 0; b < r.n; b++) {
				bool expected = a < b && r.before[a][b];

				assert_int_equal(dh_porder_before(&r.o, a, b), expected);
				ordered += expected;
				concurrent += dh_porder_concurrent(&r.o, a, b);
			}
		}
		dh_porder_release(&r.o);
	}
	assert_true(ordered > 10000 && concurrent > 10000); /* both did happen */
}

static void clocks_count_calls(void **state)
{
	struct random_order r;
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		random_order_init(&r, &seed);
		for (uint32_t c = 0; c < r.n; c++) {
			uint32_t known[8] = {0};

			for (uint32_t a = 0; a <= c; a++)
				known[r.o.calls[a].task] += a == c || r.before[a][c];
			for (uint32_t t = 0; t < 8; t++)
				assert_int_equal(dh_porder_known(&r.o, c, t), known[t]);
		}
		dh_porder_release(&r.o);
	}
}

static void finds_by_index(void **state)
{
	struct dh_porder o;

	(void)state;
	dh_porder_init(&o);
	assert_int_equal(dh_porder_find(&o, 0, 0), DH_NO_CALL);
	dh_porder_add(&o, 3, NULL, 0);
	dh_porder_add(&o, 1, NULL, 0);
	dh_porder_add(&o, 3, NULL, 0);
	assert_int_equal(dh_porder_find(&o, 3, 0), 0);
	assert_int_equal(dh_porder_find(&o, 3, 1), 2);
	assert_int_equal(dh_porder_find(&o, 1, 0), 1);
	assert_int_equal(dh_porder_find(&o, 1, 1), DH_NO_CALL);
	assert_int_equal(dh_porder_find(&o, 2, 0), DH_NO_CALL);
	dh_porder_release(&o);
}

/* What a call waits for is known when it is over; what its task had to wait for before, when it
 * begins. */
static void knows_more_behind_a_wait(void **state)
{
	struct dh_porder o;
	uint32_t exec, end, wait;

	(void)state;
	dh_porder_init(&o);
	dh_porder_add(&o, 0, NULL, 0);
	exec = dh_porder_add(&o, 1, NULL, 0);
	dh_porder_learn(&o, 0, exec);
	end = dh_porder_add(&o, 1, NULL, 0);
	wait = dh_porder_add(&o, 0, &end, 1);
	assert_int_equal(dh_porder_known_before(&o, wait, 1), 1);
	assert_int_equal(dh_porder_known(&o, wait, 1), 2);
	assert_int_equal(dh_porder_known_before(&o, wait, 0), 1);
	dh_porder_release(&o);
}

/* Only the latest conflict with each task is kept, and none that is inherent anyway. */
static void keeps_the_nearest_conflicts(void **state)
{
	struct dh_porder o;
	const uint32_t *deps;
	uint32_t fork;
	size_t n;

	(void)state;
	dh_porder_init(&o);
	fork = dh_porder_add(&o, 0, NULL, 0);
	dh_porder_add(&o, 1, NULL, 0);
	dh_porder_add(&o, 1, NULL, 0);
	dh_porder_add(&o, 2, &fork, 1);
	dh_porder_add_dep(&o, 2);
	dh_porder_add_dep(&o, 1);
	dh_porder_add_dep(&o, fork);
	deps = dh_porder_deps(&o, 3, &n);
	assert_int_equal(n, 1);
	assert_int_equal(deps[0], 2);
	dh_porder_release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_the_graph),
		cmocka_unit_test(clocks_count_calls),
		cmocka_unit_test(finds_by_index),
		cmocka_unit_test(knows_more_behind_a_wait),
		cmocka_unit_test(keeps_the_nearest_conflicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
