/* The first run of a prediction: which pairs of statements are candidates, and which are not. */
#include "detect_mock.h"

#define HYBRID (DH_DETECT_RACES)
#define HB     (DH_DETECT_RACES | DH_DETECT_HB)

static _Alignas(8) uint32_t x[64];

uint32_t __tsan_atomic32_load(const volatile uint32_t *p, int order);
void __tsan_atomic32_store(volatile uint32_t *p, uint32_t value, int order);
uint32_t __tsan_atomic32_fetch_add(volatile uint32_t *p, uint32_t value, int order);
void __tsan_atomic_thread_fence(int order);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateBenignRaceSized(
	const char *file, int line, const volatile void *address, size_t size, const char *why);

enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, SEQ_CST = 5 };

static void unordered_writes_race(void **state)
{
	const struct dh_sched_candidate *c;

	mock_start(HYBRID);
	mock_turn(1);
	mock_turn(0);
	mock_write(x, 0x1001);
	mock_turn(1);
	mock_read(x, 0x1002);
	c = mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0);
	assert_non_null(c);
	assert_int_equal(c->nsites, 2);
	assert_int_equal(c->site[0].pc, 0x1001);
	assert_int_equal(c->site[0].thread, 0);
	assert_int_equal(c->site[0].access, DH_SCHED_WRITE);
	assert_int_equal(c->site[1].thread, 1);
	assert_int_equal(c->site[1].access, 0);
	assert_int_equal(c->site[1].size, 4);
	assert_true(c->site[0].address == (uintptr_t)x);
	assert_int_equal(dh_ctl->ngranules, 1);
	mock_end();
}

static void reads_do_not_race(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_read(x, 0x1001);
	mock_turn(0);
	mock_read(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void neighbours_do_not_race(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	mock_turn(0);
	mock_write(x + 1, 0x1002); /* the other half of the granule */
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void creation_and_join_order(void **state)
{
	mock_start(HYBRID);
	mock_write(x, 0x1001);
	mock_turn(1);
	mock_write(x, 0x1002);
	mock_turn(0);
	mock_join(1);
	mock_write(x, 0x1003);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void what_comes_behind_creation_races(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1002);
	mock_turn(0);
	mock_write(x, 0x1001);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	mock_end();
}

static void common_lock_protects(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_lock(0);
	mock_lock(1);
	mock_write(x, 0x1001);
	mock_unlock(1);
	mock_unlock(0);
	mock_turn(0);
	mock_lock(1);
	mock_write(x, 0x1002);
	mock_unlock(1);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	/* Still a place where the order is open. */
	assert_int_equal(dh_ctl->ngranules, 1);
	mock_end();
}

static void different_locks_do_not_protect(void **state)
{
	const struct dh_sched_candidate *c;

	mock_start(HYBRID);
	mock_turn(1);
	mock_lock(0);
	mock_write(x, 0x1001);
	mock_unlock(0);
	mock_turn(0);
	mock_lock(1);
	mock_write(x, 0x1002);
	mock_unlock(1);
	c = mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0);
	assert_non_null(c);
	assert_int_equal(c->site[0].nlocks, 1);
	assert_true(c->site[0].lock_address[0] == mock_object(0)->address);
	assert_true(c->site[1].lock_address[0] == mock_object(1)->address);
	mock_end();
}

static void readers_do_not_protect_a_write(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_lock_how(0, DH_LOCK_SHARED, 1);
	mock_write(x, 0x1001);
	mock_unlock(0);
	mock_turn(0);
	mock_lock_how(0, DH_LOCK_SHARED, 1);
	mock_write(x, 0x1002);
	mock_unlock(0);
	mock_lock(0);
	mock_write(x, 0x1003);
	mock_unlock(0);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	assert_null(mock_find(DH_CAND_RACE, 0x1001, 0x1003, 0));
	mock_end();
}

/* The paper's Figure 1: x is written before, and read behind, two sections of one lock. */
static void figure_1(uint32_t detect)
{
	mock_start(detect);
	mock_turn(1);
	mock_turn(0);
	mock_turn(2);
	mock_turn(1);
	mock_write(x, 0x1);
	mock_lock(0);
	mock_write(x + 2, 0x3);
	mock_unlock(0);
	mock_turn(2);
	mock_write(x + 4, 0x7);
	mock_lock(0);
	mock_read(x + 2, 0x9);
	mock_read(x, 0x10);
	mock_unlock(0);
	mock_turn(1);
	mock_read(x + 4, 0x5);
	mock_end();
}

static void hybrid_predicts_what_locks_happened_to_order(void **state)
{
	figure_1(HYBRID);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1, 0x10, 0));
	assert_non_null(mock_find(DH_CAND_RACE, 0x5, 0x7, 0));
	assert_int_equal(mock_count(DH_CAND_RACE), 2);
}

static void happens_before_does_not(void **state)
{
	figure_1(HB);
	assert_non_null(mock_find(DH_CAND_RACE, 0x5, 0x7, 0));
	assert_int_equal(mock_count(DH_CAND_RACE), 1);
}

static void release_and_acquire_order(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_atomic32_store(x + 2, 1, RELEASE);
	mock_write(x + 4, 0x1003);
	mock_turn(0);
	assert_int_equal(__tsan_atomic32_load(x + 2, ACQUIRE), 1);
	mock_read(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_read(x + 4, 0x1004); /* behind the release */
	assert_non_null(mock_find(DH_CAND_RACE, 0x1003, 0x1004, 0));
	mock_end();
}

static void relaxed_does_not_order(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_atomic32_store(x + 2, 1, RELAXED);
	mock_turn(0);
	__tsan_atomic32_load(x + 2, ACQUIRE);
	mock_read(x, 0x1002);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	assert_int_equal(dh_ctl->result.ncandidates, 1); /* the atomics do not race */
	mock_end();
}

static void fences_order_relaxed_accesses(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_atomic_thread_fence(RELEASE);
	__tsan_atomic32_store(x + 2, 1, RELAXED);
	mock_turn(0);
	__tsan_atomic32_load(x + 2, RELAXED);
	__tsan_atomic_thread_fence(ACQUIRE);
	mock_read(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void updates_go_on_with_a_release(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_turn(0);
	mock_turn(2);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_atomic32_store(x + 2, 1, RELEASE);
	mock_turn(2);
	__tsan_atomic32_fetch_add(x + 2, 1, RELAXED);
	mock_turn(0);
	__tsan_atomic32_load(x + 2, ACQUIRE);
	mock_read(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void atomic_and_plain_race(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	__tsan_atomic32_fetch_add(x, 1, SEQ_CST);
	mock_turn(0);
	mock_write(x, 0x1002);
	assert_int_equal(mock_count(DH_CAND_RACE), 1);
	mock_end();
}

static void messages_order(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	dh_detect_send(dh_self, mock_object(5));
	mock_turn(0);
	dh_detect_receive(dh_self, mock_object(5));
	mock_write(x, 0x1002);
	mock_write(x + 2, 0x1003);
	dh_detect_hand_over(dh_self, dh_thread_by_id(1));
	mock_turn(1);
	mock_write(x + 2, 0x1004);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void annotations_order(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_release(x + 10);
	mock_turn(0);
	__tsan_acquire(x + 10);
	mock_write(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void benign_is_not_told(void **state)
{
	mock_start(HYBRID);
	AnnotateBenignRaceSized("f.c", 1, x + 20, 4, "a counter for people");
	mock_turn(1);
	mock_write(x + 20, 0x1001);
	mock_write(x + 21, 0x1003);
	mock_turn(0);
	mock_write(x + 20, 0x1002);
	mock_write(x + 21, 0x1004);
	assert_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	assert_non_null(mock_find(DH_CAND_RACE, 0x1003, 0x1004, 0));
	mock_end();
}

static void fresh_memory_has_no_past(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	mock_write(x, 0x1001);
	__tsan_atomic32_store(x + 2, 1, RELEASE);
	mock_turn(0);
	dh_memory_fresh((uintptr_t)x, sizeof x);
	mock_write(x, 0x1002);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

/* Five statements do not fit into four cells; what is pushed out is what tells least. */
static void init_gives_way_to_later_accesses(void **state)
{
	mock_start(HYBRID);
	mock_write(x, 0x100);
	mock_turn(1);
	mock_turn(0);
	mock_turn(2);
	mock_turn(1);
	mock_read(x, 0x101);
	mock_write(x, 0x102);
	mock_turn(2);
	mock_read(x, 0x201);
	mock_write(x, 0x202);
	assert_non_null(mock_find(DH_CAND_RACE, 0x101, 0x202, 0));
	assert_non_null(mock_find(DH_CAND_RACE, 0x102, 0x201, 0));
	assert_non_null(mock_find(DH_CAND_RACE, 0x102, 0x202, 0));
	assert_int_equal(mock_count(DH_CAND_RACE), 3);
	mock_end();
}

static void ranges_meet_single_bytes(void **state)
{
	mock_start(HYBRID);
	mock_turn(1);
	dh_detect_memory(dh_self, (char *)x + 3, 30, true, 0x1001);
	mock_turn(0);
	mock_read(x + 8, 0x1002); /* bytes 32 to 35: the last of them is 32 */
	mock_read(x + 9, 0x1003);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	assert_null(mock_find(DH_CAND_RACE, 0x1001, 0x1003, 0));
	mock_end();
}

static void a_slot_is_reused_only_by_those_who_know(void **state)
{
	uint32_t slot;

	mock_start(HYBRID);
	mock_turn(1);
	slot = dh_actor_of(dh_self)->slot;
	mock_write(x, 0x1001);
	mock_turn(0);
	mock_turn(2); /* knows nothing of thread 1's write */
	mock_turn(0);
	mock_join(1);
	mock_turn(2);
	mock_turn(3);
	assert_int_not_equal(dh_actor_of(dh_self)->slot, slot);
	mock_write(x, 0x1002);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1001, 0x1002, 0));
	mock_turn(0);
	mock_turn(4);
	assert_int_equal(dh_actor_of(dh_self)->slot, slot);
	mock_write(x + 2, 0x1003);
	mock_turn(0);
	mock_write(x + 2, 0x1004);
	assert_non_null(mock_find(DH_CAND_RACE, 0x1003, 0x1004, 0));
	mock_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unordered_writes_race),
		cmocka_unit_test(reads_do_not_race),
		cmocka_unit_test(neighbours_do_not_race),
		cmocka_unit_test(creation_and_join_order),
		cmocka_unit_test(what_comes_behind_creation_races),
		cmocka_unit_test(common_lock_protects),
		cmocka_unit_test(different_locks_do_not_protect),
		cmocka_unit_test(readers_do_not_protect_a_write),
		cmocka_unit_test(hybrid_predicts_what_locks_happened_to_order),
		cmocka_unit_test(happens_before_does_not),
		cmocka_unit_test(release_and_acquire_order),
		cmocka_unit_test(relaxed_does_not_order),
		cmocka_unit_test(fences_order_relaxed_accesses),
		cmocka_unit_test(updates_go_on_with_a_release),
		cmocka_unit_test(atomic_and_plain_race),
		cmocka_unit_test(messages_order),
		cmocka_unit_test(annotations_order),
		cmocka_unit_test(benign_is_not_told),
		cmocka_unit_test(fresh_memory_has_no_past),
		cmocka_unit_test(init_gives_way_to_later_accesses),
		cmocka_unit_test(ranges_meet_single_bytes),
		cmocka_unit_test(a_slot_is_reused_only_by_those_who_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
