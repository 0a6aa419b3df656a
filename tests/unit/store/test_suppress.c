#include "../unit.h"

#include <errno.h>

#include "store/suppress.h"

#include "helper.h"

static void patterns(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} rows[] = {
		{"foo", "foo", true},
		{"foo", "a_foo_b", true},
		{"foo", "fo", false},
		{"^foo", "foobar", true},
		{"^foo", "a_foo", false},
		{"foo$", "a_foo", true},
		{"foo$", "foobar", false},
		{"^foo$", "foo", true},
		{"^foo$", "foofoo", false},
		{"f*o", "fxxo", true},
		{"^f*o$", "fxoxo", true},
		{"^*bar", "foobar", true},
		{"a*", "ba", true},
		{"*", "", true},
		{"^", "", true},
		{"^$", "", true},
		{"^$", "x", false},
		{"a$", "aba", true}, /* the last one, not the first */
		{"ab*ab$", "ababxab", true},
		{"std::*::push", "std::vector<int>::push_back", true},
		{"a*b*c", "a__b__", false},
		{"x*", "", false},
		{"a.c", "abc", false},
	};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(rows); i++) {
		if (dh_suppression_fits(rows[i].pattern, rows[i].text) != rows[i].fits)
			fail_msg("'%s' on '%s'", rows[i].pattern, rows[i].text);
	}
}

/* Many stars do not take exponential time. */
static void many_stars(void **state)
{
	char pattern[201], text[5001];

	(void)state;
	for (size_t i = 0; i < 200; i += 2)
		memcpy(pattern + i, "*a", 3);
	pattern[199] = 'b';
	memset(text, 'a', 5000);
	text[5000] = 0;
	assert_false(dh_suppression_fits(pattern, text));
}

static void parse(struct dh_suppressions *s, const char *text)
{
	assert_ok(dh_suppressions_parse(s, "x.supp", text, strlen(text), err));
}

static struct dh_finding *race(enum dh_kind kind)
{
	struct dh_frame frames[] = {{.function = "put", .file = "src/queue.c", .module = "prog"},
		{.function = "worker", .file = "src/main.c", .module = "/lib/libwork.so.1"}};
	struct dh_frame creator[] = {{.function = "start_all", .file = "src/main.c"}};
	struct dh_site site = {.at = frames[0], .stack = {frames, 2}, .created = {creator, 1}};
	struct dh_finding *f = dh_finding_new(kind);

	f->variable = "queue.head";
	dh_finding_add_site(f, &site);
	return f;
}

static void assert_matches(const char *line, enum dh_kind kind, bool expected)
{
	struct dh_finding *f = race(kind);
	struct dh_suppressions s;

	dh_suppressions_init(&s);
	parse(&s, line);
	if (dh_suppressions_match(&s, f) != expected)
		fail_msg("%s on a %s", line, dh_kind_name(kind));
	assert_int_equal(s.items[0].hits, expected);
	dh_suppressions_release(&s);
	dh_finding_free(f);
}

static void types(void **state)
{
	(void)state;
	assert_matches("race:put", DH_KIND_DATA_RACE, true);
	assert_matches("race:queue.c", DH_KIND_DATA_RACE, true);
	assert_matches("race:worker", DH_KIND_DATA_RACE, true);
	assert_matches("race:libwork", DH_KIND_DATA_RACE, true);
	assert_matches("race:^queue.head$", DH_KIND_DATA_RACE, true);
	assert_matches("race:start_all", DH_KIND_ATOMICITY_VIOLATION, true);
	assert_matches("race:put", DH_KIND_DEADLOCK, false);
	assert_matches("race:nothing", DH_KIND_DATA_RACE, false);
	assert_matches("race_top:put", DH_KIND_DATA_RACE, true);
	assert_matches("race_top:worker", DH_KIND_DATA_RACE, false);
	assert_matches("called_from_lib:libwork.so", DH_KIND_DATA_RACE, true);
	assert_matches("called_from_lib:worker", DH_KIND_DATA_RACE, false);
	assert_matches("mutex:put", DH_KIND_LOCK_MISUSE, true);
	assert_matches("deadlock:put", DH_KIND_DEADLOCK, true);
	assert_matches("signal:put", DH_KIND_SIGNAL_RACE, true);
	assert_matches("thread:put", DH_KIND_DATA_RACE, false);
	assert_matches("process-race:put", DH_KIND_PROCESS_RACE, true);
	assert_matches("order-violation:put", DH_KIND_ORDER_VIOLATION, true);
	assert_matches("data-race:put", DH_KIND_PROCESS_RACE, false);
}

static void every_kind_is_a_type(void **state)
{
	(void)state;
	for (int i = 0; i < DH_KIND_COUNT; i++) {
		char line[64];

		snprintf(line, sizeof(line), "%s:put", dh_kind_name((enum dh_kind)i));
		assert_matches(line, (enum dh_kind)i, true);
	}
}

static void files(void **state)
{
	static const char text[] = "# a comment\r\n\n  race:one  \t\r\n\t# indented\nrace:t:w*o";
	struct dh_suppressions s;

	(void)state;
	dh_suppressions_init(&s);
	parse(&s, text);
	parse(&s, "");
	assert_int_equal(s.n, 2);
	assert_string_equal(s.items[0].text, "race:one");
	assert_string_equal(s.items[0].pattern, "one");
	assert_string_equal(s.items[0].file, "x.supp");
	assert_int_equal(s.items[0].line, 3);
	assert_string_equal(s.items[1].pattern, "t:w*o");
	assert_int_equal(s.items[1].line, 5);
	/* A file with a mistake adds nothing. */
	assert_fails(dh_suppressions_parse(&s, "y.supp", "race:x\nrase:y\n", 14, err), EBADMSG,
		"y.supp:2: 'rase:y'");
	assert_fails(dh_suppressions_parse(&s, "y.supp", "race\n", 5, err), EBADMSG, "y.supp:1");
	assert_fails(dh_suppressions_parse(&s, "y.supp", "race:\n", 6, err), EBADMSG, "y.supp:1");
	assert_fails(dh_suppressions_parse(&s, "y.supp", "race:a\0b\n", 9, err), EBADMSG, "NUL");
	assert_fails(dh_suppressions_load(&s, in_dir("none"), err), ENOENT, "none");
	assert_int_equal(s.n, 2);
	dh_suppressions_release(&s);
}

/* Every line that fits counts, so that none of them is called unused. */
static void hits(void **state)
{
	struct dh_finding *f = race(DH_KIND_DATA_RACE);
	struct dh_suppressions s;

	(void)state;
	dh_suppressions_init(&s);
	parse(&s, "race:put\nrace:worker\nrace:other\n");
	assert_true(dh_suppressions_match(&s, f));
	assert_true(dh_suppressions_match(&s, f));
	assert_int_equal(s.items[0].hits, 2);
	assert_int_equal(s.items[1].hits, 2);
	assert_int_equal(s.items[2].hits, 0);
	dh_suppressions_release(&s);
	dh_finding_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns),
		cmocka_unit_test(many_stars),
		cmocka_unit_test(types),
		cmocka_unit_test(every_kind_is_a_type),
		cmocka_unit_test(files),
		cmocka_unit_test(hits),
	};

	return cmocka_run_group_tests_name("store/suppress", tests, make_dir, remove_dir);
}
