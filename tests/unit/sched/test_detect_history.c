/* The second run of a prediction: triples that are not serialisable, orders that are open, stacks.
 */
#include "detect_mock.h"

#define FIRST  (DH_DETECT_RACES | DH_DETECT_ATOMICITY | DH_DETECT_ORDER)
#define SECOND (FIRST | DH_DETECT_STACKS)

static _Alignas(8) uint32_t x[16];

void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
uint32_t __tsan_atomic32_load(const volatile uint32_t *p, int order);
void __tsan_atomic32_store(volatile uint32_t *p, uint32_t value, int order);
uint32_t __tsan_atomic32_fetch_add(volatile uint32_t *p, uint32_t value, int order);

/* Both runs of the same story. */
static void predict(void (*story)(void))
{
	mock_start(FIRST);
	story();
	mock_start(SECOND);
	story();
	mock_end();
}

static void in_lock(void (*access)(void *, uintptr_t), uintptr_t statement)
{
	mock_lock(0);
	access(x, statement);
	mock_unlock(0);
}

static void check_then_act(void)
{
	mock_write(x, 0x1);
	mock_turn(1);
	in_lock(mock_read, 0x10);
	in_lock(mock_write, 0x11);
	mock_turn(0);
	mock_turn(2);
	in_lock(mock_write, 0x20);
}

static void atomicity_under_locks(void **state)
{
	const struct dh_sched_candidate *c;

	predict(check_then_act);
	c = mock_find(DH_CAND_ATOMICITY, 0x10, 0x11, 0x20);
	assert_non_null(c);
	assert_int_equal(c->sub, DH_SUB_RWW);
	assert_int_equal(c->nsites, 5);
	assert_int_equal(c->site[0].pc, 0x10);
	assert_int_equal(c->site[0].role, DH_TARGET_FIRST);
	assert_int_equal(c->site[1].pc, 0x11);
	assert_int_equal(c->site[1].role, DH_TARGET_NONE);
	assert_int_equal(c->site[2].pc, 0x20);
	assert_int_equal(c->site[2].role, DH_TARGET_NONE);
	assert_int_equal(c->site[2].thread, 2);
	/* They meet where the lock is taken. */
	assert_int_equal(c->site[3].pc, 0x10000);
	assert_int_equal(c->site[3].role, DH_TARGET_SECOND);
	assert_int_equal(c->site[3].thread, 1);
	assert_int_equal(c->site[4].role, DH_TARGET_REMOTE);
	assert_true(c->site[4].address == mock_object(0)->address);
	assert_int_equal(mock_count(DH_CAND_RACE), 0);
}

static void one_section(void)
{
	mock_write(x, 0x1);
	mock_turn(1);
	mock_lock(0);
	mock_read(x, 0x10);
	mock_write(x, 0x11);
	mock_unlock(0);
	mock_turn(0);
	mock_turn(2);
	mock_lock(0);
	mock_read(x, 0x20);
	mock_write(x, 0x21);
	mock_unlock(0);
}

static void lock_held_throughout_prevents(void **state)
{
	predict(one_section);
	assert_int_equal(mock_count(DH_CAND_ATOMICITY), 0);
	assert_int_equal(mock_count(DH_CAND_RACE), 0);
}

static void inner_lock_given_back(void)
{
	mock_write(x, 0x1);
	mock_turn(1);
	mock_lock(1);
	in_lock(mock_read, 0x10);
	in_lock(mock_write, 0x11);
	mock_unlock(1);
	mock_turn(0);
	mock_turn(2);
	mock_lock(1);
	in_lock(mock_write, 0x20);
	mock_unlock(1);
	mock_turn(0);
	mock_turn(3);
	in_lock(mock_write, 0x30); /* without the outer lock */
}

static void outer_lock_prevents_for_those_who_take_it(void **state)
{
	predict(inner_lock_given_back);
	assert_null(mock_find(DH_CAND_ATOMICITY, 0x10, 0x11, 0x20));
	assert_non_null(mock_find(DH_CAND_ATOMICITY, 0x10, 0x11, 0x30));
}

/* local, remote, local: r or w each; what it is called, or DH_SUB_NONE. */
static const struct {
	const char *accesses;
	uint32_t sub;
} patterns[] = {
	{"rwr", DH_SUB_RWR},
	{"wwr", DH_SUB_WWR},
	{"wrw", DH_SUB_WRW},
	{"rww", DH_SUB_RWW},
	{"rrr", DH_SUB_NONE},
	{"rrw", DH_SUB_NONE},
	{"wrr", DH_SUB_NONE},
	{"www", DH_SUB_NONE},
};
static const char *accesses;

static void one_pattern(void)
{
	mock_turn(1);
	in_lock(accesses[0] == 'r' ? mock_read : mock_write, 0x10);
	in_lock(accesses[2] == 'r' ? mock_read : mock_write, 0x11);
	mock_turn(0);
	in_lock(accesses[1] == 'r' ? mock_read : mock_write, 0x20);
}

static void the_four_patterns(void **state)
{
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		const struct dh_sched_candidate *c;

		accesses = patterns[i].accesses;
		predict(one_pattern);
		c = mock_find(DH_CAND_ATOMICITY, 0x10, 0x11, 0x20);
		assert_int_equal(c ? c->sub : DH_SUB_NONE, patterns[i].sub);
	}
}

/* The remote access came first; it could as well have come between. */
static void remote_first(void)
{
	mock_turn(1);
	in_lock(mock_write, 0x20);
	mock_turn(0);
	in_lock(mock_read, 0x10);
	in_lock(mock_write, 0x11);
}

static void remote_may_have_come_first(void **state)
{
	predict(remote_first);
	assert_non_null(mock_find(DH_CAND_ATOMICITY, 0x10, 0x11, 0x20));
}

static void joined(void)
{
	mock_turn(1);
	in_lock(mock_write, 0x20);
	mock_turn(0);
	mock_join(1);
	in_lock(mock_read, 0x10);
	in_lock(mock_write, 0x11);
}

static void what_is_ordered_is_no_candidate(void **state)
{
	predict(joined);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
}

static void atomic_steps(void)
{
	mock_turn(1);
	__tsan_atomic32_load(x, 5);
	__tsan_atomic32_store(x, 1, 5);
	mock_turn(0);
	__tsan_atomic32_store(x, 2, 0);
}

static void atomic_accesses_can_violate_atomicity(void **state)
{
	predict(atomic_steps);
	assert_int_equal(mock_count(DH_CAND_RACE), 0);
	assert_true(mock_count(DH_CAND_ATOMICITY) > 0);
}

static void counters(void)
{
	mock_turn(1);
	__tsan_atomic32_fetch_add(x, 1, 0);
	__tsan_atomic32_fetch_add(x, 1, 0);
	mock_turn(0);
	__tsan_atomic32_fetch_add(x, 1, 0);
}

static void updates_are_atomic_by_themselves(void **state)
{
	predict(counters);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
}

static void publish(void)
{
	mock_turn(1);
	mock_turn(0);
	in_lock(mock_write, 0x10); /* the first touch of x */
	mock_turn(1);
	mock_lock_how(0, 0, 0x19);
	mock_read(x, 0x20);
	mock_unlock(0);
}

static void use_before_initialisation(void **state)
{
	const struct dh_sched_candidate *c;

	predict(publish);
	c = mock_find(DH_CAND_ORDER, 0x10, 0x20, 0);
	assert_non_null(c);
	assert_int_equal(c->sub, DH_SUB_BEFORE_INIT);
	assert_int_equal(c->site[0].pc, 0x10);
	assert_int_equal(c->site[1].pc, 0x20);
	assert_int_equal(c->nsites, 4);
	assert_int_equal(c->site[2].role, DH_TARGET_FIRST);
	assert_int_equal(c->site[3].role, DH_TARGET_SECOND);
}

static void initialised_before(void)
{
	mock_write(x, 0x1);
	publish();
}

static void initialised_by_the_creator_is_fine(void **state)
{
	predict(initialised_before);
	assert_int_equal(mock_count(DH_CAND_ORDER), 0);
}

static void nested_calls(void)
{
	mock_turn(1);
	__tsan_func_entry((void *)0x500);
	__tsan_func_entry((void *)0x501);
	mock_write(x, 0x10);
	__tsan_func_exit();
	__tsan_func_exit();
	mock_turn(0);
	__tsan_func_entry((void *)0x600);
	mock_write(x, 0x20);
	__tsan_func_exit();
}

static void both_sides_have_their_stacks(void **state)
{
	const struct dh_sched_candidate *c;

	predict(nested_calls);
	c = mock_find(DH_CAND_RACE, 0x10, 0x20, 0);
	assert_non_null(c);
	assert_int_equal(c->site[0].stack.count, 3);
	assert_true(c->site[0].stack.pc[0] == 0x10);
	assert_true(c->site[0].stack.pc[1] == 0x501);
	assert_true(c->site[0].stack.pc[2] == 0x500);
	assert_int_equal(c->site[0].stack.thread, 1);
	assert_int_equal(c->site[1].stack.count, 2);
	assert_true(c->site[1].stack.pc[1] == 0x600);
}

/* More statements than cells: the second run misses none of the pairs. */
static void many_statements(void)
{
	mock_turn(1);
	for (uintptr_t i = 0; i < 12; i++)
		mock_read(x, 0x100 + i);
	mock_turn(0);
	mock_write(x, 0x200);
}

static void all_pairs_are_found(void **state)
{
	predict(many_statements);
	assert_int_equal(mock_count(DH_CAND_RACE), 12);
}

static void use_of_foreign_stack(void)
{
	struct dh_thread *owner = dh_thread_by_id(0);

	owner->stack_low = x;
	owner->stack_high = x + 16;
	dh_stacks_low = (uintptr_t)owner->stack_low;
	dh_stacks_high = (uintptr_t)owner->stack_high;
	mock_write(x + 3, 0x1);
	mock_turn(1);
	mock_read(x + 3, 0x10);
	mock_turn(0);
	dh_visit_owner_ends(owner, 0x99);
}

static void use_after_thread_end(void **state)
{
	const struct dh_sched_candidate *c;

	predict(use_of_foreign_stack);
	c = mock_find(DH_CAND_ORDER, 0x10, 0x99, 0);
	assert_non_null(c);
	assert_int_equal(c->sub, DH_SUB_AFTER_THREAD_END);
	assert_int_equal(c->memory, DH_MEM_STACK);
	assert_int_equal(c->block_thread, 0);
}

static bool blocked;

/* Thread 1 installs a handler and works; a signal of thread 0 interrupts it. */
static void interrupted(void)
{
	struct dh_thread *worker;

	mock_turn(1);
	worker = dh_self;
	mock_write(x, 0x8);
	dh_detect_signal_sent(worker, 10);
	dh_detect_signal_masked(worker, 10, blocked);
	mock_read(x, 0x10);
	mock_write(x, 0x11);
	dh_detect_signal_masked(worker, 10, false);
	mock_turn(0);
	dh_detect_signal_sent(dh_self, 10);
	mock_turn(1);
	dh_detect_handler_enter(worker, 10, 0x99, false);
	mock_write(x, 0x20);
	dh_detect_handler_leave(worker);
	dh_detect_signal_off(worker, 10);
	mock_write(x, 0x30);
}

static void handlers_meet_their_thread(void **state)
{
	const struct dh_sched_candidate *c;

	blocked = false;
	predict(interrupted);
	c = mock_find(DH_CAND_ORDER, 0x11, 0x20, 0x99);
	assert_non_null(c);
	assert_int_equal(c->sub, DH_SUB_IN_HANDLER);
	assert_int_equal(c->site[0].pc, 0x11);
	assert_int_equal(c->site[0].role, DH_TARGET_FIRST);
	assert_int_equal(c->site[1].thread, 1);
	assert_int_equal(c->site[2].op, DH_OP_SIGNAL);
	assert_int_equal(c->site[2].role, DH_TARGET_SECOND);
	assert_non_null(mock_find(DH_CAND_ORDER, 0x10, 0x20, 0x99));
	/* Neither what stands before the installation nor what stands behind the removal. */
	assert_null(mock_find(DH_CAND_ORDER, 0x8, 0x20, 0x99));
	assert_null(mock_find(DH_CAND_ORDER, 0x30, 0x20, 0x99));
	assert_int_equal(mock_count(DH_CAND_RACE), 0);
}

static void blocked_signals_are_no_danger(void **state)
{
	blocked = true;
	predict(interrupted);
	assert_int_equal(mock_count(DH_CAND_ORDER), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(atomicity_under_locks),
		cmocka_unit_test(lock_held_throughout_prevents),
		cmocka_unit_test(outer_lock_prevents_for_those_who_take_it),
		cmocka_unit_test(the_four_patterns),
		cmocka_unit_test(remote_may_have_come_first),
		cmocka_unit_test(what_is_ordered_is_no_candidate),
		cmocka_unit_test(atomic_accesses_can_violate_atomicity),
		cmocka_unit_test(updates_are_atomic_by_themselves),
		cmocka_unit_test(use_before_initialisation),
		cmocka_unit_test(initialised_by_the_creator_is_fine),
		cmocka_unit_test(both_sides_have_their_stacks),
		cmocka_unit_test(all_pairs_are_found),
		cmocka_unit_test(use_after_thread_end),
		cmocka_unit_test(handlers_meet_their_thread),
		cmocka_unit_test(blocked_signals_are_no_danger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
