/* Interned locksets against a naive model: sets of at most 64 locks as bit masks. */
#include "../unit.h"

#include "model/lockset.h"

#include "../gen.h"

#define ROUNDS 5000
#define LOCKS  8

/* Lock numbers far apart, so that nothing depends on their being dense. */
static uint32_t lock_number(unsigned bit)
{
	return bit * 1000003u;
}

static uint32_t of_mask(struct dh_locksets *t, uint64_t mask)
{
	uint32_t locks[2 * LOCKS];
	size_t n = 0;

	/* Backwards and twice: neither order nor duplicates count. */
	for (int round = 0; round < 2; round++) {
		for (int bit = LOCKS - 1; bit >= 0; bit--) {
			if (mask >> bit & 1)
				locks[n++] = lock_number((unsigned)bit);
		}
	}
	return dh_lockset_of(t, locks, n);
}

static uint64_t to_mask(struct dh_locksets *t, uint32_t set)
{
	size_t n;
	const uint32_t *locks = dh_lockset_locks(t, set, &n);
	uint64_t mask = 0;

	for (size_t i = 0; i < n; i++) {
		if (i)
			assert_true(locks[i - 1] < locks[i]);
		assert_int_equal(locks[i] % 1000003u, 0);
		mask |= UINT64_C(1) << (locks[i] / 1000003u);
	}
	return mask;
}

static void agrees_with_model(void **state)
{
	struct dh_locksets *t = dh_locksets_new();
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		uint64_t ma = gen_below(&seed, 1 << LOCKS), mb = gen_below(&seed, 1 << LOCKS);
		uint32_t a = of_mask(t, ma), b = of_mask(t, mb);
		unsigned bit = (unsigned)gen_below(&seed, LOCKS);
		uint64_t one = UINT64_C(1) << bit;

		assert_int_equal(to_mask(t, a), ma);
		assert_int_equal(a == b, ma == mb);
		assert_int_equal(dh_lockset_intersect(t, a, b), of_mask(t, ma & mb));
		assert_int_equal(dh_lockset_union(t, a, b), of_mask(t, ma | mb));
		assert_int_equal(dh_lockset_add(t, a, lock_number(bit)), of_mask(t, ma | one));
		assert_int_equal(dh_lockset_remove(t, a, lock_number(bit)), of_mask(t, ma & ~one));
		assert_int_equal(dh_lockset_contains(t, a, lock_number(bit)), (ma & one) != 0);
		assert_int_equal(dh_lockset_subset(t, a, b), (ma & ~mb) == 0);
	}
	assert_true(dh_locksets_count(t) <= 1 << LOCKS);
	dh_locksets_free(t);
}

static void empty_set(void **state)
{
	struct dh_locksets *t = dh_locksets_new();
	uint32_t a;

	(void)state;
	assert_int_equal(dh_lockset_of(t, NULL, 0), DH_LOCKSET_EMPTY);
	a = dh_lockset_add(t, DH_LOCKSET_EMPTY, 0);
	assert_int_not_equal(a, DH_LOCKSET_EMPTY);
	assert_int_equal(dh_lockset_remove(t, a, 0), DH_LOCKSET_EMPTY);
	assert_int_equal(dh_lockset_remove(t, DH_LOCKSET_EMPTY, 0), DH_LOCKSET_EMPTY);
	assert_false(dh_lockset_contains(t, DH_LOCKSET_EMPTY, 0));
	assert_true(dh_lockset_subset(t, DH_LOCKSET_EMPTY, a));
	assert_false(dh_lockset_subset(t, a, DH_LOCKSET_EMPTY));
	assert_int_equal(dh_locksets_count(t), 2);
	dh_locksets_free(t);
	dh_locksets_free(NULL);
}

/* The pool moves when it grows; operations that read from it meanwhile must not notice. */
static void many_sets(void **state)
{
	struct dh_locksets *t = dh_locksets_new();
	uint32_t set = DH_LOCKSET_EMPTY;

	(void)state;
	for (uint32_t i = 0; i < 500; i++)
		set = dh_lockset_add(t, set, i * 7);
	for (uint32_t i = 0; i < 500; i++)
		assert_true(dh_lockset_contains(t, set, i * 7));
	for (uint32_t i = 0; i < 500; i++)
		set = dh_lockset_remove(t, set, (499 - i) * 7);
	assert_int_equal(set, DH_LOCKSET_EMPTY);
	/* Taking the locks back in the reverse order meets the same sets again. */
	assert_int_equal(dh_locksets_count(t), 501);
	dh_locksets_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_model),
		cmocka_unit_test(empty_set),
		cmocka_unit_test(many_sets),
	};

	return cmocka_run_group_tests_name("model/lockset", tests, NULL, NULL);
}
