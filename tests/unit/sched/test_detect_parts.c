/* The pure parts of the detector: cells, tables, clocks, locksets, segments, shadow, stacks. */
#include "detect_mock.h"

#include <stdlib.h>

#include "../gen.h"
#include "sched/lockset.h"
#include "sched/pool.h"
#include "sched/shadow.h"
#include "sched/table.h"

static void cells_hold_what_was_put_in(void **state)
{
	uint64_t a = dh_cell_access(0x1004, 2, DH_CELL_WRITE, 0x555512345678) |
		     (uint64_t)DH_SEGMENT_MAX << DH_CELL_SEGMENT;
	uint64_t b = dh_cell_access(0x1000, 3, DH_CELL_ATOMIC, 0x1);
	uint64_t c = dh_cell_access(0x1003, 0, 0, 0x1);

	assert_int_equal(dh_cell_pc(a), 0x12345678);
	assert_int_equal(dh_cell_segment(a), DH_SEGMENT_MAX);
	assert_int_equal(dh_cell_offset(a), 4);
	assert_int_equal(dh_cell_size(a), 4);
	assert_int_equal(dh_cell_bytes(a), 0xf0);
	assert_int_equal(dh_cell_bytes(b), 0xff);
	assert_int_equal(dh_cell_bytes(c), 0x08);
	assert_true(a & DH_CELL_WRITE);
	assert_false(a & DH_CELL_ATOMIC);
	assert_true(dh_cell_overlap(a, b) && dh_cell_overlap(b, c));
	assert_false(dh_cell_overlap(a, c));
	assert_true(dh_cell_same_statement(a, a & ~(DH_CELL_SEGMENT_MASK << DH_CELL_SEGMENT)));
	assert_false(dh_cell_same_statement(b, c));
}

/* One cell for all the bytes that a statement went through. */
static void cells_cover_their_bytes(void **state)
{
	uint64_t byte = dh_cell_access(0x1003, 0, DH_CELL_WRITE, 0x42);
	uint64_t word = dh_cell_access(0x1004, 2, DH_CELL_WRITE, 0x42), both = byte | word;

	assert_true(dh_cell_covers(both, byte) && dh_cell_covers(both, word));
	assert_false(dh_cell_covers(byte, both));
	assert_false(dh_cell_covers(both, dh_cell_access(0x1002, 0, DH_CELL_WRITE, 0x42)));
	assert_false(dh_cell_covers(both, dh_cell_access(0x1003, 0, 0, 0x42)));
	assert_false(dh_cell_covers(both, byte | UINT64_C(1) << DH_CELL_SEGMENT));
	assert_int_equal(dh_cell_offset(both), 3);
	assert_int_equal(dh_cell_size(both), 5);
	assert_false(dh_cell_covers(0, byte));
}

/* Against a plain array. */
static void tables_agree_with_a_model(void **state)
{
	static uint64_t model[512];
	struct dh_table t = {0};
	uint64_t seed = 7;

	for (int i = 0; i < 50000; i++) {
		uint64_t key = 1 + gen_below(&seed, 511);
		const uint64_t *v;

		if (gen_below(&seed, 3) == 0) {
			dh_table_remove(&t, key << 40);
			model[key] = 0;
		} else {
			*dh_table_add(&t, key << 40) = model[key] = 1 + gen_below(&seed, 1000);
		}
		key = 1 + gen_below(&seed, 511);
		v = dh_table_find(&t, key << 40);
		assert_int_equal(v ? *v : 0, model[key]);
	}
	dh_table_release(&t);
}

static void clocks_join(void **state)
{
	struct dh_vc a = {0}, b = {0};

	dh_vc_set(&a, 2, 5);
	dh_vc_set(&b, 0, 3);
	dh_vc_set(&b, 7, 1);
	assert_true(dh_vc_join(&a, &b));
	assert_false(dh_vc_join(&a, &b));
	assert_int_equal(dh_vc_get(&a, 0), 3);
	assert_int_equal(dh_vc_get(&a, 2), 5);
	assert_int_equal(dh_vc_get(&a, 7), 1);
	assert_int_equal(dh_vc_get(&a, 1000), 0);
	dh_vc_copy(&a, &b);
	assert_int_equal(dh_vc_get(&a, 2), 0);
	dh_vc_release(&a);
	dh_vc_release(&b);
}

#define LOCKS 6

/* Two bits for each lock: as a writer, as a reader. */
static uint32_t set_of(uint32_t mask)
{
	uint32_t m[2 * LOCKS], n = 0;

	for (uint32_t i = 2 * LOCKS; i-- > 0;) {
		if (mask >> i & 1)
			m[n++] = i + 2;
	}
	return dh_lockset_of(m, n);
}

static bool protects(uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < LOCKS; i++) {
		uint32_t x = a >> 2 * i & 3, y = b >> 2 * i & 3;

		if (x && y && ((x & 1) || (y & 1)))
			return true;
	}
	return false;
}

static void locksets_agree_with_a_model(void **state)
{
	uint64_t seed = 11;

	for (int i = 0; i < 20000; i++) {
		uint32_t ma = (uint32_t)gen_below(&seed, 1u << 2 * LOCKS);
		uint32_t mb = (uint32_t)gen_below(&seed, 1u << 2 * LOCKS);
		uint32_t a = set_of(ma), b = set_of(mb),
			 bit = (uint32_t)gen_below(&seed, 2 * LOCKS);

		assert_int_equal(a == b, ma == mb);
		assert_int_equal(a == DH_LOCKSET_EMPTY, ma == 0);
		assert_int_equal(dh_lockset_protects(a, b), protects(ma, mb));
		assert_int_equal(dh_lockset_within(a, b), (ma & ~mb) == 0);
		assert_int_equal(dh_lockset_add(a, bit + 2), set_of(ma | 1u << bit));
		assert_int_equal(dh_lockset_remove(a, bit + 2), set_of(ma & ~(1u << bit)));
	}
	dh_lockset_reset();
}

static void segments_repeat(void **state)
{
	struct dh_segment_cache cache = {0};
	struct dh_segment s = {.clock = 1, .lockset = 0, .thread = 4, .slot = 2};
	uint32_t outside, inside;

	assert_true(dh_segments_start());
	outside = dh_segment_number(&cache, &s);
	s.lockset = 9;
	inside = dh_segment_number(&cache, &s);
	assert_int_not_equal(outside, inside);
	for (int i = 0; i < 1000; i++) {
		s.lockset = i % 2 ? 0 : 9;
		assert_int_equal(dh_segment_number(&cache, &s), i % 2 ? outside : inside);
	}
	s.clock = 2;
	assert_true(dh_segment_number(&cache, &s) > inside);
	assert_int_equal(dh_segments[inside].lockset, 9);
	assert_int_equal(dh_segments[inside].thread, 4);
	dh_segments_reset();
}

static void shadow_is_cleared_where_asked(void **state)
{
	static char memory[3 << 20];
	uintptr_t p = (uintptr_t)memory;

	assert_true(dh_shadow_start());
	for (size_t i = 0; i < sizeof memory; i += 64)
		dh_shadow_cells(p + i)[3] = i + 1;
	dh_shadow_clear(p + 4096, 2 << 20);
	for (size_t i = 0; i < sizeof memory; i += 64) {
		bool inside = i >= 4096 && i < 4096 + (2 << 20);

		assert_int_equal(dh_shadow_cells(p + i)[3], inside ? 0 : i + 1);
	}
	dh_shadow_flush();
	assert_int_equal(dh_shadow_cells(p)[3], 0);
}

static void pool_memory_is_zero_again(void **state)
{
	size_t before = dh_pool_used();

	for (size_t size = 1; size < 600000; size = size * 3 + 1) {
		char *p = dh_pool_alloc(size);

		memset(p, 0xff, size);
		dh_pool_free(p, size);
		p = dh_pool_alloc(size);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		dh_pool_free(p, size);
	}
	assert_int_equal(dh_pool_used(), before);
}

static void equal_stacks_have_one_number(void **state)
{
	struct dh_frames f = {0};
	struct dh_sched_stack s;
	uint32_t a;

	dh_frames_attach(&f);
	for (uintptr_t i = 0; i < 100; i++)
		*f.top++ = (struct dh_call){.pc = 0x1000 + i, .sp = 0x9000 - i * 16};
	a = dh_stack_keep(&f, 0x5);
	assert_int_equal(dh_stack_keep(&f, 0x5), a);
	assert_int_not_equal(dh_stack_keep(&f, 0x6), a);
	dh_stack_write(a, 3, &s);
	assert_int_equal(s.count, DH_SCHED_FRAMES_MAX);
	assert_int_equal(s.thread, 3);
	assert_true(s.pc[0] == 0x5 && s.pc[1] == 0x1063);
	dh_frames_unwind(&f, 0x9000 - 10 * 16);
	assert_int_equal(f.top - f.base, 11);
	dh_frames_detach(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_hold_what_was_put_in),
		cmocka_unit_test(cells_cover_their_bytes),
		cmocka_unit_test(tables_agree_with_a_model),
		cmocka_unit_test(clocks_join),
		cmocka_unit_test(locksets_agree_with_a_model),
		cmocka_unit_test(segments_repeat),
		cmocka_unit_test(shadow_is_cleared_where_asked),
		cmocka_unit_test(pool_memory_is_zero_again),
		cmocka_unit_test(equal_stacks_have_one_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
