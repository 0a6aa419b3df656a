#include "../unit.h"

#include <errno.h>

#include "base/error.h"
#include "helpers.h"

static void names_go_both_ways(void **state)
{
	const char *const *names = dh_report_format_names();
	int n = 0;

	(void)state;
	for (; names[n]; n++) {
		assert_int_equal(dh_report_format_parse(names[n]), n);
		assert_string_equal(dh_report_format_name((enum dh_report_format)n), names[n]);
	}
	assert_int_equal(n, DH_REPORT_FORMAT_COUNT);
	assert_int_equal(dh_report_format_parse("xml"), -1);
}

static void unknown_format_leaves_the_buffer(void **state)
{
	struct dh_buf out = DH_BUF_INIT;
	struct dh_error err = DH_ERROR_INIT;

	(void)state;
	dh_buf_adds(&out, "before");
	assert_int_equal(
		dh_report_write(DH_REPORT_FORMAT_COUNT, NULL, 0, NULL, &out, &err), -EINVAL);
	assert_int_equal(err.code, EINVAL);
	assert_string_equal(dh_buf_str(&out), "before");
	dh_buf_release(&out);
}

/* Two people with the same findings get the same bytes. */
static void output_is_repeatable(void **state)
{
	(void)state;
	for (int i = 0; i < DH_REPORT_FORMAT_COUNT; i++) {
		struct dh_report_options opt = {.full = true, .source_dir = DATA};
		char *a = report_set("40", (enum dh_report_format)i, &opt);
		char *b = report_set("40", (enum dh_report_format)i, &opt);

		assert_string_equal(a, b);
		free(a);
		free(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_go_both_ways),
		cmocka_unit_test(unknown_format_leaves_the_buffer),
		cmocka_unit_test(output_is_repeatable),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
