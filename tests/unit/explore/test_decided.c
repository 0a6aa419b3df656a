/* What an exploration has decided survives it, and damage costs one line. */
#include "../unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "explore/decided.h"
#include "explore/race.h"

static const struct dh_race harmful = {.kind = DH_RACE_LOAD_STORE, .calls = {3, 8}, .n_calls = 2};
static const struct dh_race diverged = {
	.kind = DH_RACE_WAIT_WAKEUPS, .calls = {3, 8, 9}, .n_calls = 3};
static const struct dh_race unknown = {.kind = DH_RACE_LOAD_STORE, .calls = {3, 9}, .n_calls = 2};

static const struct dh_verdict *find(const struct dh_decided *d, const struct dh_race *race)
{
	char key[DH_DECIDED_KEY];

	dh_decided_key("", race, key);
	return dh_decided_find(d, key);
}

static int add(struct dh_decided *d, const struct dh_race *race, const struct dh_verdict *v)
{
	char key[DH_DECIDED_KEY];

	dh_decided_key("", race, key);
	return dh_decided_add(d, key, v);
}

/* The same numbers in two branches are two races. */
static void test_keys(void **state)
{
	static const struct dh_race long_one = {.kind = DH_RACE_WAIT_WAKEUPS,
		.calls = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
		.n_calls = 3};
	char a[DH_DECIDED_KEY], b[DH_DECIDED_KEY], c[DH_DECIDED_KEY];

	(void)state;
	dh_decided_key("", &harmful, a);
	assert_string_equal(a, "load-store-3-8");
	dh_decided_key("load-store-1-2", &harmful, b);
	dh_decided_key("load-store-1-3", &harmful, c);
	assert_string_not_equal(a, b);
	assert_string_not_equal(b, c);
	dh_decided_key(c, &long_one, a);
	assert_non_null(strstr(a, "wait-wakeups-4294967295-4294967295-4294967295"));
}

static void test_round_trip(void **state)
{
	char dir[] = "/tmp/deadheat-decided-XXXXXX", key[DH_DECIDED_KEY];
	struct dh_verdict h = {.kind = DH_VERDICT_HARMFUL,
		.failure = DH_FAILURE_STATUS,
		.detail = "two\nlines",
		.tries = 2,
		.hits = 2,
		.kept = true,
		.ordered = true};
	struct dh_verdict d = {.kind = DH_VERDICT_DIVERGED, .tries = 1, .detail = "not reached"};
	struct dh_error err = DH_ERROR_INIT;
	static const char damage[] = "\n\xff damaged harmful 99\n";
	const struct dh_verdict *v;
	struct dh_decided list;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(dh_decided_open(dir, &list, &err), 0);
	assert_null(find(&list, &harmful));
	assert_int_equal(add(&list, &harmful, &h), 0);
	assert_int_equal(dh_write_full(list.fd, damage, strlen(damage)), 0);
	assert_int_equal(add(&list, &diverged, &d), 0);
	assert_int_equal(write(list.fd, "load-store-1-2 har", 18), 18); /* killed here */
	dh_decided_release(&list);

	assert_int_equal(dh_decided_open(dir, &list, &err), 0);
	v = find(&list, &harmful);
	assert_non_null(v);
	assert_int_equal(v->kind, DH_VERDICT_HARMFUL);
	assert_int_equal(v->failure, DH_FAILURE_STATUS);
	assert_string_equal(v->detail, "two lines");
	assert_int_equal(v->hits, 2);
	assert_true(v->again);
	assert_true(v->kept);
	assert_false(v->recorded);
	assert_true(v->ordered);
	dh_decided_key("", &harmful, key);
	assert_non_null(strstr(v->recording, key));
	assert_int_equal(find(&list, &diverged)->kind, DH_VERDICT_DIVERGED);
	assert_null(find(&list, &unknown));
	dh_decided_release(&list);
	dh_remove_tree(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
