#include "../unit.h"

#include <jansson.h>

#include "helpers.h"

static json_t *parse(char *text)
{
	json_error_t error;
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!o)
		fail_msg("%d: %s", error.line, error.text);
	free(text);
	return o;
}

static const char *str(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static json_int_t num(const json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static void follows_the_canonical_schema(void **state)
{
	json_t *o = parse(report_one(fixture_race, DH_REPORT_JSON, NULL));
	json_t *f = json_array_get(json_object_get(o, "findings"), 0);

	(void)state;
	assert_string_equal(str(o, "schema"), "deadheat-findings/1");
	assert_string_equal(str(json_object_get(o, "tool"), "name"), "deadheat");
	assert_string_equal(str(json_object_get(o, "tool"), "version"), DH_VERSION);
	assert_int_equal(json_array_size(json_object_get(o, "findings")), 1);
	assert_string_equal(str(f, "kind"), "data-race");
	assert_string_equal(str(f, "level"), "harmful");
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(f, "origin"), 0)), "scan");
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(f, "origin"), 1)), "fuzz");
	assert_int_equal(json_array_size(json_object_get(f, "origin")), 2);
	assert_int_equal(num(f, "rank"), 1);
	assert_true(json_number_value(json_object_get(f, "score")) == 7.5);
	assert_int_equal(json_array_size(json_object_get(f, "reasons")), 2);
	assert_string_equal(str(f, "variable"), "q->count");
	assert_string_equal(
		str(f, "reproduce"), "deadheat fuzz --replay 1f3a --seed 42 -- ./queue");
	assert_int_equal(strlen(str(f, "fingerprint")), 32);
	assert_non_null(strstr(str(f, "fingerprint"), str(f, "id")));
	assert_int_equal(num(json_object_get(f, "failure"), "status"), 134);
	assert_int_equal(json_array_size(json_object_get(f, "steps")), 10);
	json_decref(o);
}

static void sites_have_all_their_fields(void **state)
{
	json_t *o = parse(report_one(fixture_race, DH_REPORT_JSON, NULL));
	json_t *f = json_array_get(json_object_get(o, "findings"), 0);
	json_t *sites = json_object_get(f, "sites"), *s = json_array_get(sites, 0);
	json_t *top = json_array_get(json_object_get(s, "stack"), 0);

	(void)state;
	assert_int_equal(json_array_size(sites), 2);
	assert_string_equal(str(s, "role"), "first");
	assert_string_equal(str(s, "file"), "queue.c");
	assert_int_equal(num(s, "line"), 18);
	assert_int_equal(num(s, "column"), 24);
	assert_string_equal(str(s, "function"), "queue_pop");
	assert_string_equal(str(s, "module"), "/srv/app/queue");
	assert_int_equal(num(s, "offset"), 0x11f4);
	assert_string_equal(str(s, "access"), "update");
	assert_int_equal(num(s, "size"), 8);
	assert_true(json_is_false(json_object_get(s, "atomic")));
	assert_string_equal(str(s, "who"), "thread 1 (worker)");
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(s, "locks"), 0)), "q->lock");
	assert_string_equal(str(s, "before"), "1");
	assert_string_equal(str(top, "function"), "queue_pop");
	assert_int_equal(num(top, "offset"), 0x11f4);
	assert_int_equal(json_array_size(json_object_get(json_array_get(sites, 1), "locks")), 0);
	json_decref(o);
}

static void evidence_keeps_its_budget(void **state)
{
	json_t *o = parse(report_one(fixture_race, DH_REPORT_JSON, NULL));
	json_t *f = json_array_get(json_object_get(o, "findings"), 0);
	json_t *e = json_array_get(json_object_get(f, "evidence"), 1);

	(void)state;
	assert_string_equal(str(e, "level"), "confirmed");
	assert_string_equal(str(e, "by"), "fuzz");
	assert_int_equal(num(json_object_get(e, "budget"), "seeds"), 100);
	assert_int_equal(num(e, "hits"), 97);
	assert_string_equal(str(e, "when"), "2026-01-01T01:00:00Z");
	json_decref(o);
}

static void what_is_not_known_is_null(void **state)
{
	json_t *o = parse(report_one(fixture_bare, DH_REPORT_JSON, NULL));
	json_t *f = json_array_get(json_object_get(o, "findings"), 0);
	static const char *const nulls[] = {"title", "variable", "failure", "reproduce", "object"};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(nulls); i++)
		assert_true(json_is_null(json_object_get(f, nulls[i])));
	json_decref(o);
}

static void summary_counts_and_owns_up(void **state)
{
	const char *skipped[] = {"a.c: no compile command"};
	struct dh_report_options opt = {.lost_events = 3, .skipped = skipped, .n_skipped = 1};
	json_t *o = parse(report_set("few", DH_REPORT_JSON, &opt));
	json_t *s = json_object_get(o, "summary");

	(void)state;
	assert_int_equal(num(s, "predicted"), 2);
	assert_int_equal(num(s, "observed"), 1);
	assert_int_equal(num(s, "confirmed"), 1);
	assert_int_equal(num(s, "harmful"), 1);
	assert_int_equal(num(s, "benign"), 1);
	assert_int_equal(num(s, "explained"), 0);
	assert_int_equal(num(s, "refuted"), 0);
	assert_int_equal(num(s, "suppressed"), 1);
	assert_int_equal(num(s, "lost_events"), 3);
	assert_int_equal(json_array_size(json_object_get(s, "skipped")), 1);
	json_decref(o);
}

/* jansson refuses invalid UTF-8, integers beyond 63 bits and unbalanced nesting by itself. */
static void hostile_strings_stay_valid(void **state)
{
	json_t *o = parse(report_one(fixture_hostile, DH_REPORT_JSON, NULL));
	json_t *f = json_array_get(json_object_get(o, "findings"), 0);
	json_t *s = json_array_get(json_object_get(f, "sites"), 0);

	(void)state;
	assert_non_null(strstr(str(f, "title"), "</script><img"));
	assert_non_null(strstr(str(f, "title"), "\xef\xbf\xbd"));
	assert_true(json_is_null(json_object_get(s, "offset")));
	assert_string_equal(str(s, "after"), "18446744073709551615");
	json_decref(o);
}

static void nothing_is_a_document_too(void **state)
{
	struct dh_findings none = DH_FINDINGS_INIT;
	json_t *o = parse(report_findings(&none, DH_REPORT_JSON, NULL));

	(void)state;
	assert_int_equal(json_array_size(json_object_get(o, "findings")), 0);
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_canonical_schema),
		cmocka_unit_test(sites_have_all_their_fields),
		cmocka_unit_test(evidence_keeps_its_budget),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(summary_counts_and_owns_up),
		cmocka_unit_test(hostile_strings_stay_valid),
		cmocka_unit_test(nothing_is_a_document_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
