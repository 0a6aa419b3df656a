/* Cycles of lock requests: which are deadlocks to come, and which cannot be. */
#include "detect_mock.h"

#include "sched/lockgraph.h"

#define ORDER DH_DETECT_LOCK_ORDER

/* The running thread takes b while it holds a. */
static void nest(int a, int b, uintptr_t pc)
{
	mock_lock(a);
	mock_lock_how(b, 0, pc);
	mock_unlock(b);
	mock_unlock(a);
}

static void finish(void)
{
	/* The detector's end works once in a process, as runs do. */
	dh_ctl->result.ncandidates = 0;
	dh_candidate_start();
}

static uint32_t cycles, longest;
static const struct dh_request *last[DH_CYCLE_MAX];

static void count(const struct dh_request **member, uint32_t n, void *arg)
{
	(void)arg;
	cycles++;
	longest = n;
	memcpy(last, member, n * sizeof *last);
}

static uint32_t count_cycles(void)
{
	cycles = longest = 0;
	assert_int_equal(dh_lockgraph_cycles(count, NULL), 0);
	finish();
	mock_end();
	return cycles;
}

static void two_threads(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	nest(0, 1, 0x101);
	mock_turn(0);
	mock_turn(2);
	nest(1, 0, 0x201);
	assert_int_equal(count_cycles(), 1);
	assert_int_equal(longest, 2);
	assert_true(last[0]->pc == 0x101 && last[1]->pc == 0x201);
}

static void same_order(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	nest(0, 1, 0x101);
	mock_turn(0);
	mock_turn(2);
	nest(0, 1, 0x201);
	assert_int_equal(count_cycles(), 0);
}

static void one_thread_alone(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	nest(0, 1, 0x101);
	nest(1, 0, 0x102);
	assert_int_equal(count_cycles(), 0);
}

static void gate_lock(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	mock_lock(5);
	nest(0, 1, 0x101);
	mock_unlock(5);
	mock_turn(0);
	mock_turn(2);
	mock_lock(5);
	nest(1, 0, 0x201);
	mock_unlock(5);
	assert_int_equal(count_cycles(), 0);
}

static void gate_that_is_shared(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	mock_lock_how(5, DH_LOCK_SHARED, 1);
	nest(0, 1, 0x101);
	mock_unlock(5);
	mock_turn(0);
	mock_turn(2);
	mock_lock_how(5, DH_LOCK_SHARED, 1);
	nest(1, 0, 0x201);
	mock_unlock(5);
	assert_int_equal(count_cycles(), 1);
}

static void joined_before(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	nest(0, 1, 0x101);
	mock_turn(0);
	mock_join(1);
	mock_turn(2);
	nest(1, 0, 0x201);
	assert_int_equal(count_cycles(), 0);
}

/* The first time is ordered, a later one is not. */
static void later_occurrence_counts(void **state)
{
	mock_start(ORDER);
	nest(0, 1, 0x101);
	mock_turn(1);
	nest(1, 0, 0x201);
	mock_turn(0);
	nest(0, 1, 0x101);
	assert_int_equal(count_cycles(), 1);
}

static void try_cannot_block(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	mock_lock(0);
	mock_lock_how(1, DH_LOCK_TRIED, 0x101);
	mock_unlock(1);
	mock_unlock(0);
	mock_turn(0);
	mock_turn(2);
	nest(1, 0, 0x201);
	assert_int_equal(count_cycles(), 0);
}

static void readers_do_not_wait_for_readers(void **state)
{
	mock_start(ORDER);
	mock_turn(1);
	mock_lock_how(0, DH_LOCK_SHARED, 1);
	mock_lock_how(1, DH_LOCK_SHARED, 0x101);
	mock_unlock(1);
	mock_unlock(0);
	mock_turn(0);
	mock_turn(2);
	mock_lock_how(1, DH_LOCK_SHARED, 1);
	mock_lock_how(0, DH_LOCK_SHARED, 0x201);
	mock_unlock(0);
	mock_unlock(1);
	assert_int_equal(count_cycles(), 0);
}

static void rings_of_3_to_5(void **state)
{
	for (int n = 3; n <= 5; n++) {
		mock_start(ORDER);
		for (int i = 0; i < n; i++) {
			mock_turn(0);
			mock_turn((unsigned)i + 1);
			nest(i, (i + 1) % n, 0x100 + (uintptr_t)i);
		}
		assert_int_equal(count_cycles(), 1);
		assert_int_equal(longest, n);
	}
}

static void becomes_a_candidate(void **state)
{
	const struct dh_sched_candidate *c;

	mock_start(ORDER);
	mock_turn(1);
	nest(0, 1, 0x101);
	mock_turn(0);
	mock_turn(2);
	nest(1, 0, 0x201);
	assert_int_equal(dh_detect_end(DH_END_EXIT), DH_END_EXIT);
	c = mock_find(DH_CAND_DEADLOCK, 0x101, 0x201, 0);
	assert_non_null(c);
	assert_int_equal(c->nsites, 2);
	assert_int_equal(c->site[0].role, DH_TARGET_LOCK);
	assert_int_equal(c->site[0].thread, 1);
	assert_int_equal(c->site[0].object, mock_object(1)->id);
	assert_true(c->site[0].lock_address[0] == mock_object(0)->address);
	assert_int_equal(c->site[1].thread, 2);
	mock_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads),
		cmocka_unit_test(same_order),
		cmocka_unit_test(one_thread_alone),
		cmocka_unit_test(gate_lock),
		cmocka_unit_test(gate_that_is_shared),
		cmocka_unit_test(joined_before),
		cmocka_unit_test(later_occurrence_counts),
		cmocka_unit_test(try_cannot_block),
		cmocka_unit_test(readers_do_not_wait_for_readers),
		cmocka_unit_test(rings_of_3_to_5),
		cmocka_unit_test(becomes_a_candidate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
