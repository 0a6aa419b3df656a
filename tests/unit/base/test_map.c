#include "../unit.h"

#include <stdio.h>

#include "base/map.h"

static void agrees_with_an_array(void **state)
{
	enum { N = 4096 };
	static uint64_t value[N];
	static uint8_t there[N];
	struct dh_map m = DH_MAP_INIT;
	uint64_t x = 1;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t key, got;

		x = x * 6364136223846793005u + 1442695040888963407u;
		key = (x >> 33) % N;
		switch ((x >> 20) % 3) {
		case 0:
			dh_map_set(&m, key, x);
			value[key] = x;
			there[key] = 1;
			break;
		case 1:
			assert_int_equal(dh_map_del(&m, key), there[key]);
			there[key] = 0;
			break;
		default:
			assert_int_equal(dh_map_get(&m, key, &got), there[key]);
			if (there[key])
				assert_int_equal(got, value[key]);
		}
	}
	size_t n = 0;
	for (int i = 0; i < N; i++)
		n += there[i];
	assert_int_equal(n, m.n);
	dh_map_release(&m);
}

static void strings_get_dense_ids(void **state)
{
	struct dh_strset s;
	char name[32];

	(void)state;
	dh_strset_init(&s);
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			snprintf(name, sizeof(name), "name%u", i);
			assert_int_equal(dh_strset_add(&s, name), i);
			assert_string_equal(dh_strset_get(&s, i), name);
		}
	}
	assert_int_equal(dh_strset_find(&s, "absent"), -1);
	dh_strset_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_an_array),
		cmocka_unit_test(strings_get_dense_ids),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
