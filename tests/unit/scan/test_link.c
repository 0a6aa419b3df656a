/* Targets of calls through pointers: members, variables, parameters of wrappers, results, types. */
#include "../unit.h"

#include "scan/ir/build.h"
#include "scan/link/link.h"

static struct dh_scan_program *p;
static struct dh_scan_links *l;
static uint32_t fn_type, pointer;

static int set_up(void **state)
{
	p = dh_scan_program_new();
	fn_type = dh_scan_type_add(p, &(struct dh_scan_type){.kind = DH_SCAN_TYPE_FUNCTION,
					      .name = dh_scan_str(p, "void(i32)")});
	pointer = dh_scan_type_add(p,
		&(struct dh_scan_type){.kind = DH_SCAN_TYPE_POINTER, .target = fn_type, .size = 8});
	l = NULL;
	return 0;
}

static int tear_down(void **state)
{
	dh_scan_links_free(l);
	dh_scan_program_free(p);
	return 0;
}

/* An empty function of that type. */
static uint32_t leaf(const char *name)
{
	uint32_t s = dh_scan_function_symbol(p, name);
	struct dh_scan_build *b = dh_scan_build_new(p, s, "a.c", 1);

	p->symbols[s].type = fn_type;
	dh_scan_build_return(b, 0);
	dh_scan_build_end(b);
	return s;
}

static uint32_t field(const char *name)
{
	return dh_scan_field_add(
		p, &(struct dh_scan_field){.owner = dh_scan_named_type(p, "ops", 16),
			   .name = dh_scan_str(p, name),
			   .type = pointer,
			   .size_bits = 64,
			   .offset_bits = name[0] * 64u});
}

static struct dh_scan_build *begin(const char *name)
{
	return dh_scan_build_new(p, dh_scan_function_symbol(p, name), "a.c", 5);
}

static void expect(uint32_t function, uint32_t stmt, enum dh_scan_certainty how, size_t n,
	const uint32_t *symbols)
{
	struct dh_scan_targets t;

	if (!l)
		l = dh_scan_link(p);
	t = dh_scan_targets(l, function, stmt);
	assert_int_equal(t.how, how);
	assert_int_equal(t.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(t.symbols[i], symbols[i]);
}

static void test_member_of_a_struct(void **state)
{
	uint32_t one = leaf("one"), two = leaf("two"), other = leaf("other");
	uint32_t get = field("get"), put = field("put");
	uint32_t ops = dh_scan_global(p, dh_scan_variable(p, "my_ops")), caller;
	struct dh_scan_build *b = begin("caller");

	dh_scan_init_add(p, dh_scan_field_of(p, ops, get), dh_scan_global(p, one));
	dh_scan_init_add(p, dh_scan_field_of(p, ops, put), dh_scan_global(p, other));
	/* it->get = two; it->get(); */
	dh_scan_build_param(b, "it", 0);
	dh_scan_build_access(b, DH_SCAN_WRITE, dh_scan_field_of(p, dh_scan_param(p, 0), get),
		dh_scan_global(p, two), 8);
	dh_scan_build_call(
		b, dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 0), get)), NULL, 0);
	caller = dh_scan_build_end(b);
	expect(caller, 1, DH_SCAN_BY_FLOW, 2, (uint32_t[]){one, two});
	assert_int_equal(dh_scan_class(l, one), dh_scan_class(l, two));
	assert_int_not_equal(dh_scan_class(l, one), dh_scan_class(l, other));
	assert_int_equal(dh_scan_class(l, p->functions[caller]->symbol), 0);
}

/* run(fn) { start(fn); }  start(g) { g(); } */
static void test_through_wrappers(void **state)
{
	uint32_t one = leaf("one"), start, run, caller, g = dh_scan_param(p, 0), n;
	struct dh_scan_build *b = begin("start");
	struct dh_scan_targets t;

	dh_scan_build_param(b, "g", pointer);
	dh_scan_build_call(b, g, NULL, 0);
	start = dh_scan_build_end(b);
	b = begin("run");
	dh_scan_build_param(b, "fn", pointer);
	dh_scan_build_call(b, dh_scan_global(p, p->functions[start]->symbol), &g, 1);
	run = dh_scan_build_end(b);
	b = begin("caller");
	dh_scan_build_call(b, dh_scan_global(p, p->functions[run]->symbol),
		(uint32_t[]){dh_scan_global(p, one)}, 1);
	caller = dh_scan_build_end(b);
	expect(start, 0, DH_SCAN_BY_FLOW, 1, &one);
	expect(caller, 0, DH_SCAN_BY_NAME, 1, &p->functions[run]->symbol);
	t = dh_scan_functions_of(l, run, dh_scan_param(p, 0));
	assert_int_equal(t.n, 1);
	assert_int_equal(t.symbols[0], one);
	assert_int_equal(dh_scan_callers(l, one, &n)->function, start);
	assert_int_equal(n, 1);
	dh_scan_callers(l, p->functions[caller]->symbol, &n);
	assert_int_equal(n, 0);
}

/* f = choose(); f(); and choose() returns one or two. */
static void test_result_of_a_call(void **state)
{
	uint32_t one = leaf("one"), two = leaf("two"), choose, caller, local;
	struct dh_scan_build *b = begin("choose");

	dh_scan_build_function(b)->result = pointer;
	dh_scan_build_return(b, dh_scan_global(p, one));
	dh_scan_build_return(b, dh_scan_global(p, two));
	choose = dh_scan_build_end(b);
	b = begin("caller");
	local = dh_scan_build_local(b, "f", pointer, 0);
	dh_scan_build_call(b, dh_scan_global(p, p->functions[choose]->symbol), NULL, 0);
	dh_scan_build_assign(b, dh_scan_frame(p, local), dh_scan_call(p, 0));
	dh_scan_build_call(b, dh_scan_load(p, dh_scan_frame(p, local)), NULL, 0);
	caller = dh_scan_build_end(b);
	expect(caller, 2, DH_SCAN_BY_FLOW, 2, (uint32_t[]){one, two});
}

/* A pointer that comes from nowhere: functions of its type whose address is taken. */
static void test_by_type(void **state)
{
	uint32_t one = leaf("one"), never = leaf("never"), caller;
	uint32_t get = field("get"), put = field("put");
	struct dh_scan_build *b = begin("caller");

	dh_scan_build_param(b, "it", 0);
	dh_scan_init_add(p, dh_scan_field_of(p, dh_scan_global(p, dh_scan_variable(p, "x")), put),
		dh_scan_global(p, one));
	dh_scan_build_call(
		b, dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 0), get)), NULL, 0);
	dh_scan_build_call(b, dh_scan_load(p, dh_scan_load(p, dh_scan_param(p, 0))), NULL, 0);
	dh_scan_build_call(b, dh_scan_global(p, never), NULL, 0);
	caller = dh_scan_build_end(b);
	expect(caller, 0, DH_SCAN_BY_TYPE, 1, &one);
	expect(caller, 1, DH_SCAN_BY_NOTHING, 0, NULL);
	expect(caller, 2, DH_SCAN_BY_NAME, 1, &never);
}

static void test_alias(void **state)
{
	uint32_t one = leaf("one"), alias, caller;
	struct dh_scan_build *b = begin("caller");

	alias = dh_scan_symbol_add(p, &(struct dh_scan_symbol){.name = dh_scan_str(p, "one_too"),
					      .flags = DH_SCAN_SYM_FUNCTION,
					      .alias = one});
	dh_scan_build_call(b, dh_scan_global(p, alias), NULL, 0);
	caller = dh_scan_build_end(b);
	expect(caller, 0, DH_SCAN_BY_NAME, 1, &one);
}

static uint32_t named(const char *name, const char *pretty, uint32_t flags)
{
	return dh_scan_symbol_add(p, &(struct dh_scan_symbol){.name = dh_scan_str(p, name),
					     .pretty = dh_scan_str(p, pretty),
					     .flags = flags});
}

static void entry(uint32_t table, int position, uint32_t function)
{
	dh_scan_init_add(p, dh_scan_index(p, dh_scan_global(p, table), dh_scan_const(p, position)),
		dh_scan_global(p, function));
}

static void test_virtual_call(void **state)
{
	uint32_t base = leaf("base"), derived = leaf("derived"), stranger = leaf("stranger");
	uint32_t info_base = named("_ZTI1A", "A", 0), info_derived = named("_ZTI1B", "B", 0);
	uint32_t vptr, caller, object;
	struct dh_scan_build *b = begin("caller");

	entry(named("_ZTV1A", "A", 0), 2, base);
	entry(named("_ZTV1B", "B", 0), 2, derived);
	entry(named("_ZTV1B", "B", 0), 0, stranger);
	entry(named("_ZTV1C", "C", 0), 2, stranger);
	dh_scan_init_add(p, dh_scan_offset(p, dh_scan_global(p, info_derived), 16),
		dh_scan_global(p, info_base));
	dh_scan_build_param(b, "this", 0);
	vptr = dh_scan_named_field(p, "A", "_vptr$A", 0);
	object = dh_scan_load(p, dh_scan_field_of(p, dh_scan_param(p, 0), vptr));
	dh_scan_build_call(
		b, dh_scan_load(p, dh_scan_index(p, object, dh_scan_const(p, 2))), NULL, 0);
	caller = dh_scan_build_end(b);
	expect(caller, 0, DH_SCAN_BY_FLOW, 2, (uint32_t[]){base, derived});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_member_of_a_struct, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_through_wrappers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_result_of_a_call, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_by_type, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_alias, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_virtual_call, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
