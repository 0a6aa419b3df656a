#include "../unit.h"

#include "model/event.h"

static struct dh_event touch(uint32_t task, uint64_t at, uint32_t size, enum dh_access_kind kind)
{
	return (struct dh_event){.kind = DH_EVENT_ACCESS,
		.task = task,
		.object = at,
		.access = {.kind = kind, .size = size}};
}

static void conflict(struct dh_event a, struct dh_event b, bool expected)
{
	assert_int_equal(dh_event_conflicts(&a, &b), expected);
	assert_int_equal(dh_event_conflicts(&b, &a), expected);
}

static void conflicts(void **state)
{
	struct dh_event lock = {.kind = DH_EVENT_ACQUIRE, .task = 2, .object = 100};

	(void)state;
	conflict(touch(1, 100, 4, DH_ACCESS_WRITE), touch(2, 100, 4, DH_ACCESS_READ), true);
	conflict(touch(1, 100, 4, DH_ACCESS_UPDATE), touch(2, 103, 1, DH_ACCESS_READ), true);
	conflict(touch(1, 100, 4, DH_ACCESS_WRITE), touch(2, 104, 1, DH_ACCESS_WRITE), false);
	conflict(touch(1, 100, 4, DH_ACCESS_READ), touch(2, 100, 4, DH_ACCESS_READ), false);
	conflict(touch(1, 100, 4, DH_ACCESS_WRITE), touch(1, 100, 4, DH_ACCESS_WRITE), false);
	conflict(touch(1, 100, 4, DH_ACCESS_WRITE), lock, false);
	conflict(touch(1, UINT64_MAX - 3, 4, DH_ACCESS_WRITE), touch(2, 0, 4, DH_ACCESS_WRITE),
		false);
	conflict(touch(1, UINT64_MAX - 3, 4, DH_ACCESS_WRITE),
		touch(2, UINT64_MAX, 1, DH_ACCESS_WRITE), true);
}

static void every_kind_has_a_name(void **state)
{
	(void)state;
	for (int i = 0; i < DH_EVENT_COUNT; i++)
		assert_non_null(dh_event_kind_name((enum dh_event_kind)i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conflicts),
		cmocka_unit_test(every_kind_has_a_name),
	};

	return cmocka_run_group_tests_name("model/event", tests, NULL, NULL);
}
