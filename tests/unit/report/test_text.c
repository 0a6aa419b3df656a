#include "../unit.h"

#include "base/utf8.h"
#include "model/finding.h"
#include "helpers.h"

static void shows_all_of_one(void **state)
{
	static const char *const expected[] = {"harmful", "q->count", "first: update of 8 bytes",
		"by thread 2 (worker)", "locks held: q->lock", "locks held: none",
		"value changed: 1 -> 0", "runs between the other thread's look and its lock",
		"#0 queue_pop queue.c:18 (/srv/app/queue+0x11f4)",
		"#0 calloc (/usr/lib/libc.so.6+0x4f0)", "created at", "The order that fails",
		"wait for q->lock", "only object in its critical section 4 times",
		"97 of 100 tries, seeds 100", "deadheat fuzz --replay 1f3a --seed 42 -- ./queue",
		"exit status 134", "Allocated at", "2026-01-01T01:00:00Z"};
	struct dh_report_options opt = {.full = true, .source_dir = DATA};
	char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(expected); i++)
		if (!strstr(text, expected[i]))
			fail_msg("no '%s' in:\n%s", expected[i], text);
	free(text);
}

static void caret_is_under_the_access(void **state)
{
	struct dh_report_options opt = {.full = true, .source_dir = DATA};
	char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);
	char *line = strstr(text, " >    18 | "), *caret, *word;

	(void)state;
	assert_non_null(line);
	word = strstr(line, "q->count");
	caret = strchr(line, '^');
	assert_non_null(word);
	assert_non_null(caret);
	assert_int_equal(word - line, caret - (strchr(line, '\n') + 1));
	assert_memory_equal(caret, "^~~~~~~~\n", 9);
	free(text);
}

/* The two heads stand on one line, and so do the marked lines of source. */
static void two_columns_when_wide(void **state)
{
	struct dh_report_options opt = {.full = true, .source_dir = DATA, .width = 130};
	char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);
	char *head = strstr(text, "first: update"), *source = strstr(text, " >    18 | ");

	(void)state;
	assert_non_null(head);
	assert_non_null(source);
	assert_true(strstr(head, "| second: read") < strchr(head, '\n'));
	assert_true(strstr(source, " >    14 | ") < strchr(source, '\n'));
	free(text);
	opt.width = 119;
	text = report_one(fixture_race, DH_REPORT_TEXT, &opt);
	assert_null(strstr(text, "| second: read"));
	free(text);
}

static void assert_fits(const char *text, unsigned width)
{
	char line[4096];

	for (const char *nl; (nl = strchr(text, '\n')); text = nl + 1) {
		assert_true((size_t)(nl - text) < sizeof(line));
		memcpy(line, text, (size_t)(nl - text));
		line[nl - text] = '\0';
		/* A command is never broken, so that it can be copied. */
		if (!strstr(line, "deadheat fuzz") && dh_utf8_width(line) > width)
			fail_msg("wider than %u: %s", width, line);
	}
}

static void fits_the_width(void **state)
{
	static const unsigned widths[] = {40, 80, 100, 120, 200};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(widths); i++) {
		struct dh_report_options opt = {
			.full = true, .source_dir = DATA, .width = widths[i], .unicode = i % 2};
		char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);

		assert_fits(text, widths[i]);
		free(text);
		opt.full = false;
		text = report_one(fixture_race, DH_REPORT_TEXT, &opt);
		assert_fits(text, widths[i]);
		free(text);
	}
}

static void colour_only_when_asked(void **state)
{
	struct dh_report_options opt = {.full = true, .source_dir = DATA, .width = 130};
	char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);

	(void)state;
	assert_null(strchr(text, '\033'));
	free(text);
	opt.color = true;
	text = report_one(fixture_race, DH_REPORT_TEXT, &opt);
	assert_non_null(strstr(text, "\033[0;1;31mharmful\033[0;"));
	free(text);
}

static void hostile_strings_do_not_reach_the_terminal(void **state)
{
	(void)state;
	for (int full = 0; full < 2; full++) {
		struct dh_report_options opt = {.full = full, .source_dir = DATA, .width = 130};
		char *text = report_one(fixture_hostile, DH_REPORT_TEXT, &opt);
		size_t n = strlen(text);

		assert_null(strchr(text, '\033'));
		assert_null(strchr(text, '\r'));
		assert_null(strstr(text, "\xe2\x80\xae"));
		assert_non_null(strstr(text, "\\x1b[31m\\xff\\xc3"));
		for (size_t i = 0; i < n;) {
			size_t len = dh_utf8_len(text + i, n - i);

			assert_int_not_equal(len, 0);
			i += len;
		}
		free(text);
	}
}

static void lists_with_reasons_and_counts(void **state)
{
	const char *skipped[] = {"lib.so: no debug symbols"};
	struct dh_report_options opt = {.source_dir = DATA,
		.width = 110,
		.lost_events = 7,
		.skipped = skipped,
		.n_skipped = 1};
	char *text = report_set("few", DH_REPORT_TEXT, &opt);

	(void)state;
	assert_non_null(strstr(text, "   1  harmful    data-race  "));
	assert_non_null(strstr(text, "queue.c:18:24 / queue.c:14\n"));
	assert_non_null(strstr(text, "because written in 2 threads; only object"));
	assert_non_null(strstr(text, "6 findings: 1 harmful, 1 confirmed, 1 observed, 2 predicted, "
				     "1 benign (1 suppressed)\n"));
	assert_non_null(strstr(text, "7 events lost\n"));
	assert_non_null(strstr(text, "skipped: lib.so: no debug symbols\n"));
	free(text);
}

static void ranks_of_the_store_are_kept(void **state)
{
	const uint64_t rank[] = {23};
	struct dh_report_options opt = {.rank = rank};
	char *text = report_one(fixture_race, DH_REPORT_TEXT, &opt);

	(void)state;
	assert_memory_equal(text, "  23  harmful", 13);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_all_of_one),
		cmocka_unit_test(caret_is_under_the_access),
		cmocka_unit_test(two_columns_when_wide),
		cmocka_unit_test(fits_the_width),
		cmocka_unit_test(colour_only_when_asked),
		cmocka_unit_test(hostile_strings_do_not_reach_the_terminal),
		cmocka_unit_test(lists_with_reasons_and_counts),
		cmocka_unit_test(ranks_of_the_store_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
