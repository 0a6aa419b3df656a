/* A program that is written and read again is the same; damaged bytes are refused. */
#include "../unit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "scan/ir/build.h"
#include "scan/ir/summary.h"

#include "../gen.h"

static void build_one(struct dh_scan_program *p, const char *name, uint32_t flags)
{
	uint32_t n = dh_scan_named_field(p, "item", "n", 4);
	uint32_t lock = dh_scan_global(p, dh_scan_function_symbol(p, "pthread_mutex_lock"));
	uint32_t m = dh_scan_global(p, dh_scan_variable(p, "m"));
	struct dh_scan_build *b = dh_scan_build_new(p, dh_scan_function_symbol(p, name), "a.c", 10);
	uint32_t local, addr, yes, no, args[2];

	dh_scan_build_function(b)->flags = flags;
	dh_scan_build_param(b, "it", dh_scan_named_type(p, "item", 8));
	local = dh_scan_build_local(b, "k", 0, DH_SCAN_LOCAL_ONCE);
	yes = dh_scan_build_block(b);
	no = dh_scan_build_block(b);
	addr = dh_scan_field_of(p, dh_scan_param(p, 0), n);
	dh_scan_build_at(b, 12, 3, NULL);
	args[0] = m;
	args[1] = dh_scan_load(p, addr);
	dh_scan_build_call(b, lock, args, 2);
	dh_scan_build_at(b, 11, 70, "x.inc");
	dh_scan_build_assign(b, dh_scan_frame(p, local), dh_scan_call(p, 0));
	dh_scan_build_branch(b,
		dh_scan_compare(p, DH_SCAN_LT, dh_scan_load(p, dh_scan_frame(p, local)),
			dh_scan_const(p, -5)),
		yes, no);
	dh_scan_build_select(b, yes);
	dh_scan_build_stmt(b, dh_scan_build_access(b, DH_SCAN_UPDATE, addr, dh_scan_const(p, 1), 4))
		->flags |= DH_SCAN_ATOMIC;
	dh_scan_build_stmt(b, 3)->order = DH_SCAN_RELEASE;
	dh_scan_build_jump(b, no);
	dh_scan_build_select(b, no);
	dh_scan_build_switch(b, dh_scan_index(p, m, dh_scan_param(p, 0)));
	dh_scan_build_edge(b, DH_SCAN_EDGE_CASE, yes, dh_scan_const(p, 1ll << 40));
	dh_scan_build_edge(b, DH_SCAN_EDGE_DEFAULT, no, 0);
	dh_scan_build_end(b);
}

static struct dh_scan_program *example(void)
{
	struct dh_scan_program *p = dh_scan_program_new();
	uint32_t ops = dh_scan_global(p, dh_scan_variable(p, "ops"));

	dh_scan_unit_add(p, "a.c", 100);
	build_one(p, "f", 0);
	build_one(p, "g", DH_SCAN_FN_SHARED);
	dh_scan_init_add(p, dh_scan_field_of(p, ops, dh_scan_named_field(p, "ops", "get", 0)),
		dh_scan_global(p, dh_scan_function_symbol(p, "f")));
	dh_scan_fact_add(p, &(struct dh_scan_fact){.kind = dh_scan_str(p, "guarded_by"),
				    .text = dh_scan_str(p, "m"),
				    .symbol = dh_scan_variable(p, "ops")});
	dh_scan_symbol_add(p, &(struct dh_scan_symbol){.name = dh_scan_str(p, "f_alias"),
				      .flags = DH_SCAN_SYM_FUNCTION,
				      .alias = dh_scan_symbol_find(p, "f")});
	return p;
}

static void write_all(struct dh_scan_program *p, struct dh_buf *out)
{
	uint32_t all[] = {1, 2};

	dh_scan_summary_write(p, all, 2, true, out);
}

static void test_round_trip(void **state)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT, before = DH_BUF_INIT, after = DH_BUF_INIT;
	struct dh_scan_program *p = example(), *q = dh_scan_program_new();
	uint32_t alias;

	write_all(p, &bytes);
	/* Ids of the other program differ. */
	dh_scan_variable(q, "something");
	dh_scan_const(q, 77);
	assert_int_equal(dh_scan_summary_read(q, bytes.data, bytes.len, NULL), 0);
	dh_scan_dump(p, &before);
	dh_scan_dump(q, &after);
	assert_string_equal(dh_buf_str(&before), dh_buf_str(&after));
	assert_int_equal(q->n_units, 2);
	assert_int_equal(q->units[1].lines, 100);
	assert_int_equal(q->functions[1]->unit, 1);
	alias = dh_scan_symbol_find(q, "f_alias");
	assert_ptr_equal(dh_scan_body(q, alias), dh_scan_body(q, dh_scan_symbol_find(q, "f")));
	dh_scan_program_free(p);
	dh_scan_program_free(q);
}

/* The same function has the same bytes whatever else its unit has: that is how it is shared. */
static void test_bytes_of_one_function(void **state)
{
	DH_BUF struct dh_buf a = DH_BUF_INIT, b = DH_BUF_INIT;
	struct dh_scan_program *p = example(), *q = dh_scan_program_new();
	uint32_t g = 2, only = 1;

	for (int i = 0; i < 100; i++)
		dh_scan_const(q, i);
	build_one(q, "g", DH_SCAN_FN_SHARED);
	dh_scan_summary_write(p, &g, 1, false, &a);
	dh_scan_summary_write(q, &only, 1, false, &b);
	assert_int_equal(a.len, b.len);
	assert_memory_equal(a.data, b.data, a.len);
	dh_scan_program_free(p);
	dh_scan_program_free(q);
}

static void test_first_body_stays(void **state)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT;
	struct dh_scan_program *p = example();
	uint32_t n = p->n_functions;

	write_all(p, &bytes);
	assert_int_equal(dh_scan_summary_read(p, bytes.data, bytes.len, NULL), 0);
	assert_int_equal(p->n_functions, n);
	dh_scan_program_free(p);
}

static void test_cut_off(void **state)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT;
	struct dh_scan_program *p = example(), *q = dh_scan_program_new();
	struct dh_error err = DH_ERROR_INIT;

	write_all(p, &bytes);
	for (size_t n = 0; n < bytes.len; n++) {
		/* A copy of its own, so that a sanitizer sees a read behind it. */
		DH_FREE void *part = dh_memdup(bytes.data, n + 1);

		assert_int_equal(dh_scan_summary_read(q, part, n, &err), -EBADMSG);
		assert_int_equal(q->n_functions, 1);
		assert_int_equal(q->n_units, 1);
		assert_int_equal(q->n_inits, 0);
	}
	assert_non_null(strstr(err.text, "damaged"));
	dh_scan_program_free(p);
	dh_scan_program_free(q);
}

/* Whatever is accepted can be walked. */
static void test_changed_bytes(void **state)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT, text = DH_BUF_INIT;
	struct dh_scan_program *p = example();
	uint64_t seed = 7;
	unsigned accepted = 0;

	write_all(p, &bytes);
	for (int round = 0; round < 3000; round++) {
		DH_FREE char *copy = dh_memdup(bytes.data, bytes.len);
		struct dh_scan_program *q = dh_scan_program_new();

		for (unsigned i = 0; i < 1 + gen_below(&seed, 3); i++)
			copy[gen_below(&seed, bytes.len)] = (char)gen_below(&seed, 256);
		if (dh_scan_summary_read(q, copy, bytes.len, NULL) == 0) {
			dh_buf_clear(&text);
			dh_scan_dump(q, &text);
			accepted++;
		}
		dh_scan_program_free(q);
	}
	assert_true(accepted > 0 && accepted < 3000);
	dh_scan_program_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_bytes_of_one_function),
		cmocka_unit_test(test_first_body_stays),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_changed_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
