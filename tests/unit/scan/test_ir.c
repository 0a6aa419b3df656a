/* Nodes are interned and simplified; the builder makes what the dump shows. */
#include "../unit.h"

#include "base/buf.h"
#include "scan/ir/build.h"

static struct dh_scan_program *p;

static int set_up(void **state)
{
	p = dh_scan_program_new();
	return 0;
}

static int tear_down(void **state)
{
	dh_scan_program_free(p);
	return 0;
}

static void test_equal_paths_are_equal_ids(void **state)
{
	uint32_t next = dh_scan_named_field(p, "item", "next", 0);
	uint32_t lock = dh_scan_named_field(p, "item", "lock", 8);
	uint32_t a = dh_scan_field_of(
		p, dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 0), next)), lock);

	for (uint32_t i = 0; i < 5000; i++)
		dh_scan_const(p, i);
	assert_int_equal(
		a, dh_scan_field_of(p,
			   dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 0), next)), lock));
	assert_int_not_equal(a, dh_scan_field_of(p, dh_scan_param(p, 0), lock));
	assert_int_equal(dh_scan_base(p, a), dh_scan_param(p, 0));
	assert_int_equal(dh_scan_node(p, dh_scan_object(p, a))->op, DH_SCAN_LOAD);
	assert_true(dh_scan_contains(p, a, dh_scan_param(p, 0)));
	assert_false(dh_scan_contains(p, a, dh_scan_param(p, 1)));
}

static void test_simplest_form(void **state)
{
	uint32_t x = dh_scan_load(p, dh_scan_global(p, dh_scan_variable(p, "x")));
	uint32_t zero = dh_scan_const(p, 0), one = dh_scan_const(p, 1);
	uint32_t is = dh_scan_compare(p, DH_SCAN_EQ, x, one);
	uint32_t lock = dh_scan_named_field(p, "item", "lock", 16);
	uint32_t field = dh_scan_field_of(p, dh_scan_param(p, 0), lock);

	assert_int_equal(is, dh_scan_compare(p, DH_SCAN_EQ, one, x));
	assert_int_equal(is, dh_scan_compare(p, DH_SCAN_NE, is, zero));
	assert_int_equal(
		dh_scan_compare(p, DH_SCAN_NE, x, one), dh_scan_compare(p, DH_SCAN_EQ, is, zero));
	assert_int_equal(dh_scan_compare(p, DH_SCAN_NE, x, one),
		dh_scan_binary(p, DH_SCAN_XOR, is, dh_scan_const(p, -1)));
	assert_int_equal(dh_scan_offset(p, field, -16), dh_scan_param(p, 0));
	assert_int_equal(dh_scan_field_of(p, dh_scan_offset(p, dh_scan_param(p, 3), -16), lock),
		dh_scan_param(p, 3));
	assert_int_equal(dh_scan_load(p, 0), 0);
	assert_int_equal(dh_scan_index(p, dh_scan_index(p, x, one), dh_scan_const(p, 4)),
		dh_scan_index(p, x, dh_scan_const(p, 5)));
	assert_int_equal(
		dh_scan_binary(p, DH_SCAN_ADD, one, dh_scan_const(p, -3)), dh_scan_const(p, -2));
}

static void test_size_is_bounded(void **state)
{
	uint32_t x = dh_scan_param(p, 0), list = x;

	for (int i = 0; i < 6; i++)
		x = dh_scan_binary(p, DH_SCAN_MUL, x, x);
	assert_int_equal(x, 0);
	for (int i = 0; i < DH_SCAN_MAX_SIZE; i++)
		list = dh_scan_load(p, list);
	assert_int_equal(list, 0);
}

static uint32_t to_argument(void *arg, struct dh_scan_program *program, uint32_t node)
{
	uint32_t *args = arg;
	const struct dh_scan_node *n = dh_scan_node(program, node);

	return n->op == DH_SCAN_PARAM ? args[n->a] : node;
}

static void test_replace(void **state)
{
	uint32_t lock = dh_scan_named_field(p, "item", "lock", 8);
	uint32_t g = dh_scan_global(p, dh_scan_variable(p, "g"));
	uint32_t path = dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 1), lock));
	uint32_t args[] = {0, g};

	assert_int_equal(dh_scan_node_replace(p, path, to_argument, args),
		dh_scan_load(p, dh_scan_field_of(p, g, lock)));
	assert_int_equal(
		dh_scan_node_replace(p, dh_scan_load(p, dh_scan_param(p, 0)), to_argument, args),
		0);
}

static void test_symbols_add_up(void **state)
{
	uint32_t f = dh_scan_str(p, "a.c"), h = dh_scan_str(p, "b.c"), name = dh_scan_str(p, "n");
	struct dh_scan_symbol s = {.name = name, .file = f, .line = 3, .flags = DH_SCAN_SYM_STATIC};
	uint32_t local = dh_scan_symbol_add(p, &s), other, global;

	s.file = h;
	other = dh_scan_symbol_add(p, &s);
	global = dh_scan_variable(p, "n");
	assert_int_not_equal(local, other);
	assert_int_not_equal(local, global);
	assert_int_equal(dh_scan_symbol_find(p, "n"), global);
	assert_int_equal(dh_scan_symbol_find(p, "unknown"), 0);
	s = (struct dh_scan_symbol){.name = name, .file = h, .line = 9, .type = 0};
	assert_int_equal(dh_scan_symbol_add(p, &s), global);
	assert_int_equal(p->symbols[global].line, 9);
}

/* if (p->n == 0) return; lock(&m); p->n = 1; unlock */
static uint32_t build_example(void)
{
	uint32_t n = dh_scan_named_field(p, "item", "n", 0);
	uint32_t m = dh_scan_global(p, dh_scan_variable(p, "m"));
	uint32_t lock = dh_scan_global(p, dh_scan_function_symbol(p, "pthread_mutex_lock"));
	struct dh_scan_build *b =
		dh_scan_build_new(p, dh_scan_function_symbol(p, "set"), "a.c", 10);
	uint32_t addr = dh_scan_field_of(p, dh_scan_param(p, 0), n), yes, no;

	dh_scan_build_param(b, "it", 0);
	yes = dh_scan_build_block(b);
	no = dh_scan_build_block(b);
	dh_scan_build_at(b, 11, 5, NULL);
	dh_scan_build_access(b, DH_SCAN_READ, addr, 0, 4);
	dh_scan_build_branch(b,
		dh_scan_compare(p, DH_SCAN_EQ, dh_scan_load(p, addr), dh_scan_const(p, 0)), yes,
		no);
	dh_scan_build_select(b, yes);
	dh_scan_build_return(b, 0);
	dh_scan_build_select(b, no);
	dh_scan_build_at(b, 12, 1, "x.inc");
	dh_scan_build_call(b, lock, &m, 1);
	dh_scan_build_stmt(b, dh_scan_build_access(b, DH_SCAN_WRITE, addr, dh_scan_const(p, 1), 4))
		->flags |= DH_SCAN_VOLATILE;
	dh_scan_build_return(b, 0);
	return dh_scan_build_end(b);
}

static void test_build_and_dump(void **state)
{
	uint32_t id = build_example();
	const struct dh_scan_function *f = p->functions[id];
	DH_BUF struct dh_buf out = DH_BUF_INIT;

	dh_scan_dump_function(p, f, &out);
	assert_string_equal(dh_buf_str(&out),
		"function set(it) a.c:10\n"
		"  block 0\n"
		"\t0: read it->n size 4 @11:5\n"
		"\t1: branch (it->n == 0) @11:5\n"
		"\ttrue -> 1\n"
		"\tfalse -> 2\n"
		"  block 1\n"
		"\t2: return ? @11:5\n"
		"  block 2\n"
		"\t3: call pthread_mutex_lock(&m) elsewhere @12:1\n"
		"\t4: write it->n = 1 size 4 volatile elsewhere @12:1\n"
		"\t5: return ? elsewhere @12:1\n");
	assert_string_equal(dh_scan_text(p, dh_scan_stmt_file(f, 4)), "x.inc");
	assert_string_equal(dh_scan_text(p, dh_scan_stmt_file(f, 0)), "a.c");
	assert_ptr_equal(dh_scan_body(p, f->symbol), f);
	assert_int_equal(
		dh_scan_callee(p, &f->stmts[3]), dh_scan_symbol_find(p, "pthread_mutex_lock"));
	assert_int_equal(build_example(), id);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_equal_paths_are_equal_ids, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_simplest_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_size_is_bounded, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_replace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_symbols_add_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_build_and_dump, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
