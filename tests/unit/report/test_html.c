#include "../unit.h"

#include <jansson.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "helpers.h"

/* What stands in <script ... id="name">; moves *at behind it. */
static char *block(char **at, const char *name)
{
	DH_FREE char *open = dh_asprintf("<script type=\"application/json\" id=\"%s\">", name);
	char *from = strstr(*at, open), *to;

	assert_non_null(from);
	from += strlen(open);
	to = strstr(from, "</script");
	assert_non_null(to);
	*at = to;
	return dh_strndup(from, (size_t)(to - from));
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void index_and_details_are_json(void **state)
{
	struct dh_report_options opt = {.source_dir = DATA, .now = 1767312000};
	char *text = report_set("few", DH_REPORT_HTML, &opt), *at = text, *line, *save;
	DH_FREE char *index = block(&at, "index"), *details = block(&at, "details");
	json_t *o = json_loads(index, 0, NULL);
	size_t n = 0;

	(void)state;
	assert_non_null(o);
	assert_int_equal(json_array_size(json_object_get(o, "rows")), 6);
	assert_int_equal(json_array_size(json_object_get(o, "kinds")), DH_KIND_COUNT);
	assert_int_equal(json_array_size(json_object_get(o, "levels")), DH_LEVEL_COUNT);
	assert_string_equal(
		json_string_value(json_object_get(o, "generated")), "2026-01-02T00:00:00Z");
	for (line = strtok_r(details, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		json_t *d = json_loads(line, 0, NULL), *f = json_object_get(d, "finding");
		json_t *row = json_array_get(json_object_get(o, "rows"), n);

		assert_non_null(d);
		assert_string_equal(json_string_value(json_object_get(f, "id")),
			json_string_value(json_array_get(row, 0)));
		assert_int_equal(json_array_size(json_object_get(d, "excerpts")),
			json_array_size(json_object_get(f, "sites")));
		json_decref(d);
	}
	assert_int_equal(n, 6);
	json_decref(o);
	free(text);
}

static void no_string_ends_its_block(void **state)
{
	char *none = report_one(fixture_bare, DH_REPORT_HTML, NULL);
	char *text = report_one(fixture_hostile, DH_REPORT_HTML, NULL);

	(void)state;
	assert_int_equal(count(text, "<script"), 3);
	assert_int_equal(count(text, "</script"), 3);
	assert_int_equal(count(text, "<img"), 0);
	assert_int_equal(count(text, "<"), count(none, "<"));
	assert_non_null(strstr(text, "\\u003c/script>\\u003cimg"));
	for (size_t i = 0, n = strlen(text); i < n;) {
		size_t len = dh_utf8_len(text + i, n - i);

		assert_int_not_equal(len, 0);
		i += len;
	}
	free(none);
	free(text);
}

/* Whatever the page asks for would have to be named by one of these. */
static void refers_to_nothing_outside(void **state)
{
	static const char *const words[] = {"http://", "https://", "src=\"", "@import", "url("};
	char *text = report_one(fixture_bare, DH_REPORT_HTML, NULL), *p = text;

	(void)state;
	while ((p = strstr(p, "http://www.w3.org/2000/svg")))
		memset(p, ' ', 26); /* the name of a namespace, not an address */
	for (size_t i = 0; i < DH_ARRAY_SIZE(words); i++)
		assert_null(strstr(text, words[i]));
	assert_non_null(strstr(text, "default-src 'none'"));
	assert_null(strstr(text, "{{"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(index_and_details_are_json),
		cmocka_unit_test(no_string_ends_its_block),
		cmocka_unit_test(refers_to_nothing_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
