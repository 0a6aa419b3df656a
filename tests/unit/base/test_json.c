#include "../unit.h"

#include "base/buf.h"
#include "base/json.h"

static void nests_and_escapes(void **state)
{
	struct dh_buf b = DH_BUF_INIT;
	struct dh_json j;

	(void)state;
	dh_json_init(&j, &b, 0);
	dh_json_object(&j, NULL);
	dh_json_string(&j, "a\"b", "x\n\x01\xc3\xa9");
	dh_json_array(&j, "list");
	dh_json_int(&j, NULL, -3);
	dh_json_null(&j, NULL);
	dh_json_bool(&j, NULL, true);
	dh_json_end_array(&j);
	dh_json_object(&j, "empty");
	dh_json_end_object(&j);
	dh_json_end_object(&j);
	assert_string_equal(dh_buf_str(&b),
		"{\"a\\\"b\":\"x\\n\\u0001\xc3\xa9\",\"list\":[-3,null,true],\"empty\":{}}");
	dh_buf_release(&b);
}

static void invalid_utf8_is_replaced(void **state)
{
	static const char *const bad[] = {
		"\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\x80"};
	struct dh_buf b = DH_BUF_INIT;
	struct dh_json j;

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(bad); i++) {
		dh_buf_clear(&b);
		dh_json_init(&j, &b, 0);
		dh_json_string(&j, NULL, bad[i]);
		assert_non_null(strstr(dh_buf_str(&b), "\xef\xbf\xbd"));
		assert_null(strstr(dh_buf_str(&b), bad[i]));
	}
	dh_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nests_and_escapes),
		cmocka_unit_test(invalid_utf8_is_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
