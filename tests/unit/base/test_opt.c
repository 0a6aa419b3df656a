#include "../unit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/opt.h"

static struct {
	bool flag;
	const char *text;
	struct dh_opt_list list;
	uint64_t n;
	double t;
	int choice;
} v;

static const char *const colours[] = {"red", "green", NULL};
static const struct dh_cmd cmd = {"test", "[options]", "A test.", NULL};
static const struct dh_opt opts[] = {
	{DH_OPT_FLAG, 'f', "flag", NULL, "a flag", &v.flag, NULL},
	{DH_OPT_STRING, 's', "text", "TEXT", "a string", &v.text, NULL},
	{DH_OPT_LIST, 'l', "list", "ITEM", "a list", &v.list, NULL},
	{DH_OPT_UINT, 'n', "number", "N", "a number", &v.n, NULL},
	{DH_OPT_TIME, 't', "time", "T", "a time", &v.t, NULL},
	{DH_OPT_CHOICE, 0, "colour", "C", "a colour", &v.choice, colours},
	{0},
};

static int parse(struct dh_error *err, int argc, ...)
{
	char *argv[16] = {(char *)"test"};
	va_list ap;

	va_start(ap, argc);
	for (int i = 1; i <= argc; i++)
		argv[i] = va_arg(ap, char *);
	va_end(ap);
	*err = DH_ERROR_INIT;
	return dh_opt_parse(&cmd, opts, argc + 1, argv, err);
}

static void all_types(void **state)
{
	struct dh_error err;

	(void)state;
	assert_int_equal(parse(&err, 8, "-f", "--text=x", "-l1", "-l", "2", "-n", "4k", "rest"), 8);
	assert_true(v.flag);
	assert_string_equal(v.text, "x");
	assert_int_equal(v.list.n, 2);
	assert_int_equal(v.n, 4096);
	assert_int_equal(parse(&err, 5, "--time", "250ms", "--colour", "green", "--"), 6);
	assert_true(v.t > 0.2 && v.t < 0.3);
	assert_int_equal(v.choice, 1);
	free(v.list.items);
}

static void mistakes_are_explained(void **state)
{
	struct dh_error err;

	(void)state;
	assert_int_equal(parse(&err, 1, "--flg"), -EINVAL);
	assert_non_null(strstr(err.text, "did you mean '--flag'"));
	assert_int_equal(parse(&err, 1, "--tmie"), -EINVAL);
	assert_non_null(strstr(err.text, "did you mean '--time'"));
	assert_int_equal(parse(&err, 2, "--colour", "gren"), -EINVAL);
	assert_non_null(strstr(err.text, "green"));
	assert_int_equal(parse(&err, 2, "-n", "-4"), -EINVAL);
	assert_int_equal(parse(&err, 2, "-n", "99999999999999999999"), -EINVAL);
	assert_int_equal(parse(&err, 2, "-n", "99999999999G"), -EINVAL);
	assert_int_equal(parse(&err, 1, "-n"), -EINVAL);
	assert_int_equal(parse(&err, 1, "--flag=1"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_types),
		cmocka_unit_test(mistakes_are_explained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
