/* Branches of random executions: the cut is consistent, and whoever enforces the branch gets
 * through with the racing calls turned around and all other conflicts in their order. */
#include "random_order.h"

#include <errno.h>

#include "explore/branch.h"
#include "explore/race.h"

#define ROUNDS 50

struct run {
	uint32_t at[CALLS_MAX]; /* when the call was over, from 1 */
	uint32_t next[8];       /* index of each task's next call */
	uint32_t now;
};

static bool is_over(const struct run *run, uint32_t c)
{
	return run->at[c] != 0;
}

static bool anchor(const struct dh_branch *b, uint32_t c)
{
	for (uint32_t i = 0; i < b->n_anchors; i++) {
		if (b->anchors[i] == c)
			return true;
	}
	return false;
}

/* Whether the gate lets the call begin, and whatever is inherent has happened. */
static bool may_begin(
	const struct random_order *r, const struct dh_branch *b, const struct run *run, uint32_t c)
{
	uint32_t waits[CALLS_MAX];
	size_t n = dh_branch_waits_for(b, c, waits, CALLS_MAX);

	if (!dh_branch_contains(b, c) && !anchor(b, c))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!is_over(run, waits[i]))
			return false;
	}
	for (uint32_t a = 0; a < r->n; a++) {
		if (r->before[a][c] && !is_over(run, a))
			return false;
	}
	return true;
}

static void enforce(
	const struct random_order *r, const struct dh_branch *b, struct run *run, uint64_t *seed)
{
	for (;;) {
		uint32_t ready[CALLS_MAX], n = 0, chosen;

		for (uint32_t t = 0; t < r->o.n_tasks; t++) {
			uint32_t c = dh_porder_find(&r->o, t, run->next[t]);

			if (c != DH_NO_CALL && may_begin(r, b, run, c))
				ready[n++] = c;
		}
		if (!n)
			return;
		chosen = ready[gen_below(seed, n)];
		run->at[chosen] = ++run->now;
		run->next[r->o.calls[chosen].task]++;
	}
}

static void check_cut(const struct random_order *r, const struct dh_branch *b)
{
	for (uint32_t c = 0; c < r->n; c++) {
		if (!dh_branch_contains(b, c) && !anchor(b, c))
			continue;
		for (uint32_t a = 0; a < r->n; a++)
			assert_true(!r->before[a][c] || dh_branch_contains(b, a) || anchor(b, a));
	}
	for (uint32_t i = 0; i < b->n_anchors; i++)
		assert_false(dh_branch_contains(b, b->anchors[i]));
}

static void check_run(const struct random_order *r, const struct dh_branch *b, struct run *run)
{
	for (uint32_t i = 0; i < b->n_anchors; i++) {
		assert_true(is_over(run, b->anchors[i]));
		assert_true(!i || run->at[b->anchors[i - 1]] < run->at[b->anchors[i]]);
	}
	for (uint32_t c = 0; c < r->n; c++) {
		size_t n;
		const uint32_t *deps = dh_porder_deps(&r->o, c, &n);

		if (!dh_branch_contains(b, c))
			continue;
		assert_true(is_over(run, c));
		for (size_t i = 0; i < n; i++) {
			if (dh_branch_contains(b, deps[i]))
				assert_true(run->at[deps[i]] < run->at[c]);
		}
	}
}

static void turns_every_race_around(void **state)
{
	struct random_order r;
	uint64_t seed = 3, made = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		random_order_init(&r, &seed);
		for (uint32_t first = 0; first < r.n; first++) {
			for (uint32_t second = first + 1; second < r.n; second++) {
				struct dh_race race = {.kind = DH_RACE_LOAD_STORE,
					.calls = {first, second},
					.n_calls = 2};
				struct dh_branch b;
				struct run run = {0};

				if (!dh_porder_concurrent(&r.o, first, second))
					continue;
				assert_int_equal(dh_branch_make(&r.o, &race, NULL, 0, &b), 0);
				assert_int_equal(b.anchors[0], second);
				assert_int_equal(b.anchors[1], first);
				check_cut(&r, &b);
				enforce(&r, &b, &run, &seed);
				check_run(&r, &b, &run);
				dh_branch_release(&b);
				made++;
			}
		}
		dh_porder_release(&r.o);
	}
	assert_true(made > 10000);
}

static void refuses_what_is_ordered(void **state)
{
	struct dh_race race = {.kind = DH_RACE_LOAD_STORE, .calls = {0, 2}, .n_calls = 2};
	struct dh_porder o;
	struct dh_branch b;
	uint32_t fork;

	(void)state;
	dh_porder_init(&o);
	fork = dh_porder_add(&o, 0, NULL, 0);
	dh_porder_add(&o, 1, &fork, 1);
	dh_porder_add(&o, 1, NULL, 0);
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), -EINVAL);
	dh_porder_release(&o);
}

/* Task 0 signals task 1 and races with task 2 then: task 1 is where it was when the signal came. */
static void signals_find_their_target(bool inside, uint32_t expected)
{
	struct dh_race race = {.kind = DH_RACE_LOAD_STORE, .n_calls = 2};
	struct dh_porder o;
	struct dh_branch b;
	uint32_t fork, kill, last;

	dh_porder_init(&o);
	fork = dh_porder_add(&o, 0, NULL, 0);
	dh_porder_learn(&o, 1, fork);
	dh_porder_learn(&o, 2, fork);
	dh_porder_add(&o, 1, NULL, 0);
	dh_porder_add(&o, 1, NULL, 0);
	kill = dh_porder_add(&o, 0, NULL, 0);
	race.calls[0] = dh_porder_add(&o, 2, NULL, 0);
	race.calls[1] = dh_porder_add(&o, 0, NULL, 0);
	last = dh_porder_add(&o, 1, &kill, 1);
	dh_porder_add_strike(&o, kill, 1, 2, inside);
	assert_int_equal(o.strikes[0].reached, 2);
	assert_int_equal(dh_porder_known(&o, last, 0), 2);
	assert_int_equal(dh_porder_known_before(&o, last, 0), 1);
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), 0);
	assert_int_equal(b.cut[1], expected);
	dh_branch_release(&b);
	/* When the signal is what is turned around, the target has come to its call. */
	race = (struct dh_race){
		.kind = DH_RACE_SIGNAL, .late = true, .calls = {kill, last}, .n_calls = 2};
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), 0);
	assert_int_equal(b.cut[0], 1);
	assert_int_equal(b.cut[1], 2);
	assert_int_equal(b.anchors[0], kill);
	dh_branch_release(&b);
	dh_porder_release(&o);
}

static void signals_come_where_they_came(void **state)
{
	(void)state;
	signals_find_their_target(false, 2);
	signals_find_their_target(true, 3);
}

/* ps | grep X of the paper, figure 7: the read of ps and the exec of grep. */
static void cuts_as_in_figure_7(void **state)
{
	struct dh_porder o;
	struct dh_branch b;
	struct dh_race race = {.kind = DH_RACE_LOAD_STORE, .n_calls = 2};
	uint32_t fork1, fork2, waits[4], read, exec;

	(void)state;
	dh_porder_init(&o);
	dh_porder_add(&o, 0, NULL, 0); /* pipe */
	fork1 = dh_porder_add(&o, 0, NULL, 0);
	fork2 = dh_porder_add(&o, 0, NULL, 0);
	dh_porder_add(&o, 1, &fork1, 1); /* execve of ps */
	dh_porder_add(&o, 1, NULL, 0);   /* getdents of /proc */
	read = dh_porder_add(&o, 1, NULL, 0);
	exec = dh_porder_add(&o, 2, &fork2, 1);
	race.calls[0] = read;
	race.calls[1] = exec;
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), 0);
	assert_int_equal(b.cut[0], 3);
	assert_int_equal(b.cut[1], 2);
	assert_int_equal(b.cut[2], 0);
	assert_int_equal(dh_branch_waits_for(&b, exec, waits, 4), 0);
	assert_int_equal(dh_branch_waits_for(&b, read, waits, 4), 1);
	assert_int_equal(waits[0], exec);
	dh_branch_release(&b);
	dh_porder_release(&o);
}

/* wait(-1) of a parent of two: it got the first child, and must get the second. */
static void lets_a_wait_have_the_other_child(void **state)
{
	struct dh_race race = {.kind = DH_RACE_WAIT_WAKEUPS, .n_calls = 3};
	struct dh_porder o;
	struct dh_branch b;
	uint32_t fork1, fork2, exit1, exit2, waited;

	(void)state;
	dh_porder_init(&o);
	fork1 = dh_porder_add(&o, 0, NULL, 0);
	fork2 = dh_porder_add(&o, 0, NULL, 0);
	exit1 = dh_porder_add(&o, 1, &fork1, 1);
	waited = dh_porder_add(&o, 0, &exit1, 1);
	exit2 = dh_porder_add(&o, 2, &fork2, 1);
	race.calls[0] = waited;
	race.calls[1] = exit1;
	race.calls[2] = exit2;
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), 0);
	assert_int_equal(b.anchors[0], exit2);
	assert_int_equal(b.anchors[1], waited);
	assert_int_equal(b.anchors[2], exit1);
	assert_int_equal(b.cut[0], 2);
	assert_int_equal(b.cut[1], 0);
	dh_branch_release(&b);
	/* The second child was only made after the first was waited for: nothing to turn around. */
	fork2 = dh_porder_add(&o, 0, NULL, 0);
	race.calls[2] = dh_porder_add(&o, 3, &fork2, 1);
	assert_int_equal(dh_branch_make(&o, &race, NULL, 0, &b), -EINVAL);
	dh_porder_release(&o);
}

/* What an earlier flip has put in order stays so, and comes before the cut as a whole. */
static void keeps_what_was_turned_around(void **state)
{
	struct dh_race race = {.kind = DH_RACE_LOAD_STORE, .n_calls = 2};
	struct dh_branch_order orders[2];
	struct dh_porder o;
	struct dh_branch b;
	uint32_t waits[4], flag, sees, other, makes;

	(void)state;
	dh_porder_init(&o);
	other = dh_porder_add(&o, 2, NULL, 0);
	flag = dh_porder_add(&o, 1, NULL, 0);
	sees = dh_porder_add(&o, 0, NULL, 0);
	makes = dh_porder_add(&o, 3, NULL, 0);
	race.calls[0] = makes;
	race.calls[1] = dh_porder_add(&o, 0, NULL, 0);
	orders[0] = (struct dh_branch_order){other, flag}; /* which the next one brings in */
	orders[1] = (struct dh_branch_order){flag, sees};
	assert_int_equal(dh_branch_make(&o, &race, orders, 2, &b), 0);
	assert_true(dh_branch_contains(&b, sees));
	assert_true(dh_branch_contains(&b, flag));
	assert_true(dh_branch_contains(&b, other));
	assert_int_equal(dh_branch_waits_for(&b, sees, waits, 4), 1);
	assert_int_equal(waits[0], flag);
	assert_int_equal(dh_branch_waits_for(&b, flag, waits, 4), 1);
	assert_int_equal(waits[0], other);
	dh_branch_release(&b);
	/* The racing call itself cannot have been before. */
	orders[1].first = makes;
	assert_int_equal(dh_branch_make(&o, &race, orders, 2, &b), -EINVAL);
	dh_porder_release(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_every_race_around),
		cmocka_unit_test(refuses_what_is_ordered),
		cmocka_unit_test(signals_come_where_they_came),
		cmocka_unit_test(cuts_as_in_figure_7),
		cmocka_unit_test(lets_a_wait_have_the_other_child),
		cmocka_unit_test(keeps_what_was_turned_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
