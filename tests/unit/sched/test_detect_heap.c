/* The heap of a run: blocks, quarantine, and what ends a run. */
#include "detect_mock.h"

#include "../gen.h"

#define BLOCKS 400

void __tsan_read4_pc(void *p, void *pc);

static void blocks_do_not_overlap(void **state)
{
	static struct {
		unsigned char *p;
		size_t size;
	} b[BLOCKS];
	uint64_t seed = 3;

	mock_start(DH_DETECT_HEAP);
	assert_true(dh_heap_ready());
	for (int round = 0; round < 20000; round++) {
		size_t i = gen_below(&seed, BLOCKS), size = gen_below(&seed, 2000);
		size_t align = (size_t)16 << gen_below(&seed, 5);

		if (gen_below(&seed, 200) == 0)
			size *= 1000;
		if (b[i].p) {
			for (size_t k = 0; k < b[i].size; k += 97)
				assert_int_equal(b[i].p[k], (unsigned char)i);
			assert_int_equal(dh_heap_block_size(b[i].p), b[i].size);
			dh_heap_free(b[i].p, 0x1);
			assert_int_equal(dh_heap_block_size(b[i].p), 0);
			b[i].p = NULL;
			continue;
		}
		b[i].size = size;
		b[i].p = dh_heap_alloc(size, align, round % 2, 0x2);
		assert_non_null(b[i].p);
		assert_int_equal((uintptr_t)b[i].p % align, 0);
		assert_false(size && dh_heap_freed((uintptr_t)b[i].p));
		for (size_t k = 0; round % 2 && k < size; k++)
			assert_int_equal(b[i].p[k], 0);
		memset(b[i].p, (int)i, size);
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		if (b[i].p)
			dh_heap_free(b[i].p, 0x1);
	}
	mock_end();
}

static void freed_blocks_stay_away_for_a_while(void **state)
{
	void *p;

	mock_start(DH_DETECT_HEAP);
	p = dh_heap_alloc(100, 16, false, 0x1);
	dh_heap_free(p, 0x2);
	assert_true(dh_heap_freed((uintptr_t)p));
	for (int i = 0; i < 1000; i++)
		assert_ptr_not_equal(dh_heap_alloc(100, 16, false, 0x1), p);
	mock_end();
}

static void free_again(void *p)
{
	dh_heap_free(p, 0x3);
}

static void double_free_ends_the_run(void **state)
{
	void *p;

	mock_start(DH_DETECT_HEAP);
	p = dh_heap_alloc(10, 16, false, 0x1);
	dh_heap_free(p, 0x2);
	assert_int_equal(mock_stopped(free_again, p), DH_END_HEAP);
	assert_non_null(strstr(mock_words, "double free"));
	p = dh_heap_alloc(100, 16, false, 0x1);
	assert_int_equal(mock_stopped(free_again, (char *)p + 16), DH_END_HEAP);
	assert_non_null(strstr(mock_words, "not a block"));
	mock_end();
}

static void read_it(void *p)
{
	mock_read(p, 0x77);
}

static void use_after_free_ends_the_run(void **state)
{
	const struct dh_sched_candidate *c;
	uint32_t modes[] = {DH_DETECT_HEAP, DH_DETECT_HEAP | DH_DETECT_RACES};

	for (int i = 0; i < 2; i++) {
		char *p;

		mock_start(modes[i]);
		p = dh_heap_alloc(64, 16, false, 0x1);
		assert_int_equal(mock_stopped(read_it, p + 8), DH_END_NONE);
		mock_turn(1);
		dh_heap_free(p, 0x2);
		mock_turn(0);
		assert_int_equal(mock_stopped(read_it, p + 8), DH_END_HEAP);
		assert_non_null(strstr(mock_words,
			"read of freed memory, byte 8 of a block of 64 bytes that thread 0 "
			"allocated and thread 1 freed"));
		c = mock_find(DH_CAND_ORDER, 0x2, 0x77, 0);
		assert_non_null(c);
		assert_int_equal(c->sub, DH_SUB_USE_AFTER_FREE);
		assert_int_equal(c->memory, DH_MEM_HEAP);
		assert_int_equal(c->block_size, 64);
		assert_true(c->allocated.pc[0] == 0x1);
		assert_true(c->freed.pc[0] == 0x2);
		mock_end();
	}
}

/* A write by code that is not instrumented. */
static void hidden_write_is_found_at_the_end(void **state)
{
	char *p;

	mock_start(DH_DETECT_HEAP);
	p = dh_heap_alloc(40, 16, false, 0x1);
	mock_turn(1);
	dh_heap_free(p, 0x2);
	mock_turn(0);
	assert_int_equal(dh_detect_end(DH_END_EXIT), DH_END_EXIT);
	((volatile char *)p)[17] = 1;
	assert_int_equal(dh_detect_end(DH_END_SIGNAL), DH_END_SIGNAL);
	assert_int_equal(dh_detect_end(DH_END_EXIT), DH_END_HEAP);
	assert_string_equal(dh_ctl->outcome.text,
		"write to freed memory, byte 17 of a block of 40 bytes that thread 0 allocated "
		"and thread 1 freed");
	assert_true(dh_ctl->outcome.stack.pc[0] == 0x2);
	mock_end();
}

static void free_races_with_use(void **state)
{
	const struct dh_sched_candidate *c;
	void *p;

	mock_start(DH_DETECT_RACES);
	p = dh_heap_alloc(4096 + 16, 16, false, 0x1);
	mock_turn(1);
	mock_write((char *)p + 4096, 0x10);
	mock_lock(0);
	mock_write(p, 0x11);
	mock_unlock(0);
	mock_turn(0);
	mock_lock(0);
	dh_heap_free(p, 0x20);
	mock_unlock(0);
	c = mock_find(DH_CAND_RACE, 0x10, 0x20, 0);
	assert_non_null(c);
	assert_int_equal(c->site[1].access, DH_SCHED_WRITE | DH_SCHED_FREE);
	assert_null(mock_find(DH_CAND_RACE, 0x11, 0x20, 0));
	assert_int_equal(dh_ctl->ngranules, 2);
	mock_end();
}

/* The block is the same in both runs when the first one does not free it. */
static void free_and_use_have_no_order(void **state)
{
	const struct dh_sched_candidate *c;
	void *p = NULL;

	for (int run = 0; run < 2; run++) {
		mock_start(DH_DETECT_ORDER | (run ? DH_DETECT_STACKS : 0));
		p = run ? p : dh_heap_alloc(64, 16, false, 0x1);
		mock_turn(1);
		mock_lock(0);
		mock_write(p, 0x10);
		mock_unlock(0);
		mock_turn(0);
		mock_lock(0);
		if (run)
			dh_heap_free(p, 0x20);
		else
			mock_write(p, 0x20);
		mock_unlock(0);
	}
	c = mock_find(DH_CAND_ORDER, 0x10, 0x20, 0);
	assert_non_null(c);
	assert_int_equal(c->sub, DH_SUB_USE_AFTER_FREE);
	assert_int_equal(c->memory, DH_MEM_HEAP);
	assert_int_equal(c->allocated.count, 1);
	mock_end();
}

static void a_new_owner_does_not_race_with_the_old(void **state)
{
	void *p, *q;

	mock_start(DH_DETECT_RACES);
	mock_turn(1);
	p = dh_heap_alloc(48, 16, false, 0x1);
	mock_write(p, 0x10);
	dh_heap_free(p, 0x2);
	mock_turn(0);
	q = dh_heap_alloc(48, 16, false, 0x1);
	assert_ptr_equal(p, q); /* no quarantine without DH_DETECT_HEAP */
	mock_write(q, 0x20);
	assert_int_equal(dh_ctl->result.ncandidates, 0);
	mock_end();
}

static void large_blocks_come_back_empty(void **state)
{
	size_t size = 3 << 20;
	char *p, *q;

	mock_start(0);
	p = dh_heap_alloc(size, 16, true, 0x1);
	p[0] = p[5000] = p[size - 1] = 1;
	assert_true(dh_heap_resize(p, size + 100));
	assert_false(dh_heap_resize(p, size * 2));
	dh_heap_free(p, 0x2);
	q = dh_heap_alloc(size, 16, true, 0x1);
	assert_ptr_equal(p, q);
	assert_true(q[0] == 0 && q[5000] == 0 && q[size - 1] == 0);
	dh_heap_free(q, 0x2);
	assert_null(dh_heap_alloc(SIZE_MAX - 100, 16, false, 0x1));
	mock_end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_do_not_overlap),
		cmocka_unit_test(freed_blocks_stay_away_for_a_while),
		cmocka_unit_test(double_free_ends_the_run),
		cmocka_unit_test(use_after_free_ends_the_run),
		cmocka_unit_test(free_races_with_use),
		cmocka_unit_test(free_and_use_have_no_order),
		cmocka_unit_test(a_new_owner_does_not_race_with_the_old),
		cmocka_unit_test(large_blocks_come_back_empty),
		cmocka_unit_test(hidden_write_is_found_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
