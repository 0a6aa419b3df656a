#include "../unit.h"

#include "helpers.h"

static void lines_of_a_race(void **state)
{
	char *text = report_one(fixture_race, DH_REPORT_GCC, NULL);
	const char *cut = strstr(text, " (harmful, ");

	(void)state;
	assert_non_null(cut);
	assert_memory_equal(text,
		"queue.c:18:24: warning: unordered update and read of 'q->count' in queue_pop",
		(size_t)(cut - text));
	assert_string_equal(strchr(cut, ')'),
		") [data-race]\n"
		"queue.c:18:24: note: first: update of 8 bytes by thread 1 (worker) in queue_pop, "
		"holding q->lock\n"
		"queue.c:14:1: note: second: read of 8 bytes by thread 2 (worker) in queue_pop\n"
		"queue.c:18:24: note: reproduce with: "
		"deadheat fuzz --replay 1f3a --seed 42 -- ./queue\n");
	free(text);
}

static void without_a_place(void **state)
{
	char *text = report_one(fixture_bare, DH_REPORT_GCC, NULL);

	(void)state;
	assert_memory_equal(text, "deadheat: warning: Lock misuse (predicted, ", 43);
	free(text);
}

/* One warning and one note for each of the two sites and the command: newlines in strings must
 * not make further lines, which a reader would take for findings. */
static void hostile_strings_stay_on_their_line(void **state)
{
	char *text = report_one(fixture_hostile, DH_REPORT_GCC, NULL);
	size_t lines = 0;

	(void)state;
	for (char *p = text; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 4);
	assert_null(strpbrk(text, "\r\033\t"));
	free(text);
}

static void names_below_the_root_are_relative(void **state)
{
	struct dh_findings set = DH_FINDINGS_INIT;
	struct dh_report_options opt = {.source_dir = DATA};
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);
	struct dh_site s = {.at = {.file = DATA "/queue.c", .line = 3}};
	char *text;

	(void)state;
	dh_finding_add_site(f, &s);
	s.at.file = DATA "-else/queue.c";
	dh_finding_add_site(f, &s);
	dh_findings_add(&set, f);
	text = report_findings(&set, DH_REPORT_GCC, &opt);
	assert_memory_equal(text, "queue.c:3:1: warning: ", 22);
	assert_non_null(strstr(text, "\n" DATA "-else/queue.c:3:1: note: "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_a_race),
		cmocka_unit_test(without_a_place),
		cmocka_unit_test(hostile_strings_stay_on_their_line),
		cmocka_unit_test(names_below_the_root_are_relative),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
