/* The laws of vector clocks, on random clocks. */
#include "../unit.h"

#include "model/vclock.h"

#include "../gen.h"

#define ROUNDS 2000

static struct dh_vclock random_clock(uint64_t *seed)
{
	struct dh_vclock v = DH_VCLOCK_INIT;
	uint64_t n = gen_below(seed, 6);

	/* Few threads and small times, so that equal and ordered clocks do happen. */
	for (uint64_t i = 0; i < n; i++)
		dh_vclock_set(&v, (uint32_t)gen_below(seed, 4), gen_below(seed, 3));
	return v;
}

static struct dh_vclock joined(const struct dh_vclock *a, const struct dh_vclock *b)
{
	struct dh_vclock v = DH_VCLOCK_INIT;

	dh_vclock_copy(&v, a);
	dh_vclock_join(&v, b);
	return v;
}

static bool equal(const struct dh_vclock *a, const struct dh_vclock *b)
{
	return dh_vclock_compare(a, b) == DH_VCLOCK_EQUAL;
}

static void check_order(const struct dh_vclock *a, const struct dh_vclock *b, unsigned *seen)
{
	enum dh_vclock_order ab = dh_vclock_compare(a, b), ba = dh_vclock_compare(b, a);

	seen[ab]++;
	assert_int_equal(ab == DH_VCLOCK_BEFORE, ba == DH_VCLOCK_AFTER);
	assert_int_equal(ab == DH_VCLOCK_CONCURRENT, ba == DH_VCLOCK_CONCURRENT);
	assert_int_equal(ab == DH_VCLOCK_EQUAL, ba == DH_VCLOCK_EQUAL);
	assert_int_equal(dh_vclock_leq(a, b), ab == DH_VCLOCK_BEFORE || ab == DH_VCLOCK_EQUAL);
	for (uint32_t t = 0; ab == DH_VCLOCK_EQUAL && t < 8; t++)
		assert_int_equal(dh_vclock_get(a, t), dh_vclock_get(b, t));
}

static void check_join(
	const struct dh_vclock *a, const struct dh_vclock *b, const struct dh_vclock *c)
{
	struct dh_vclock ab = joined(a, b), ba = joined(b, a), bc = joined(b, c);
	struct dh_vclock ab_c = joined(&ab, c), a_bc = joined(a, &bc), aa = joined(a, a);

	assert_true(equal(&ab, &ba));
	assert_true(equal(&ab_c, &a_bc));
	assert_true(equal(&aa, a));
	assert_true(dh_vclock_leq(a, &ab) && dh_vclock_leq(b, &ab));
	/* The least of all upper bounds. */
	if (dh_vclock_leq(a, c) && dh_vclock_leq(b, c))
		assert_true(dh_vclock_leq(&ab, c));
	assert_int_equal(dh_vclock_leq(a, b), equal(&ab, b));
	dh_vclock_release(&ab);
	dh_vclock_release(&ba);
	dh_vclock_release(&bc);
	dh_vclock_release(&ab_c);
	dh_vclock_release(&a_bc);
	dh_vclock_release(&aa);
}

static void laws(void **state)
{
	uint64_t seed = 1;
	unsigned seen[4] = {0};

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct dh_vclock a = random_clock(&seed), b = random_clock(&seed),
				 c = random_clock(&seed);

		check_order(&a, &b, seen);
		check_join(&a, &b, &c);
		if (dh_vclock_leq(&a, &b) && dh_vclock_leq(&b, &c))
			assert_true(dh_vclock_leq(&a, &c));
		dh_vclock_release(&a);
		dh_vclock_release(&b);
		dh_vclock_release(&c);
	}
	for (int i = 0; i < 4; i++)
		assert_true(seen[i] > 10);
}

static void ticks_come_after(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct dh_vclock a = random_clock(&seed), b = DH_VCLOCK_INIT;
		uint32_t tid = (uint32_t)gen_below(&seed, 10);

		dh_vclock_copy(&b, &a);
		assert_int_equal(dh_vclock_tick(&b, tid), dh_vclock_get(&a, tid) + 1);
		assert_int_equal(dh_vclock_compare(&a, &b), DH_VCLOCK_BEFORE);
		dh_vclock_release(&a);
		dh_vclock_release(&b);
	}
}

/* The constant-time test says the same as comparing whole clocks. */
static void epochs(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct dh_vclock a = random_clock(&seed), e = DH_VCLOCK_INIT;
		uint32_t tid = (uint32_t)gen_below(&seed, 5);
		uint64_t time = gen_below(&seed, 3), epoch = dh_epoch(tid, time);

		dh_vclock_set(&e, tid, time);
		assert_int_equal(dh_epoch_tid(epoch), tid);
		assert_int_equal(dh_epoch_time(epoch), time);
		assert_int_equal(dh_epoch_leq(epoch, &a), dh_vclock_leq(&e, &a));
		assert_true(dh_epoch_leq(DH_EPOCH_NONE, &a));
		assert_true(dh_epoch_leq(dh_vclock_epoch(&a, tid), &a));
		dh_vclock_release(&a);
		dh_vclock_release(&e);
	}
}

static void extremes(void **state)
{
	struct dh_vclock v = DH_VCLOCK_INIT, zero = DH_VCLOCK_INIT;
	uint64_t last = dh_epoch(DH_EPOCH_TID_MAX, DH_EPOCH_TIME_MAX);

	(void)state;
	assert_int_equal(dh_epoch_tid(last), DH_EPOCH_TID_MAX);
	assert_int_equal(dh_epoch_time(last), DH_EPOCH_TIME_MAX);
	dh_vclock_set(&v, 70000, DH_EPOCH_TIME_MAX);
	assert_true(dh_epoch_leq(dh_epoch(70000, DH_EPOCH_TIME_MAX), &v));
	assert_false(dh_epoch_leq(dh_epoch(69999, 1), &v));
	dh_vclock_clear(&v);
	assert_int_equal(dh_vclock_compare(&v, &zero), DH_VCLOCK_EQUAL);
	/* What was there before the clearing does not come back. */
	dh_vclock_set(&v, 70001, 1);
	assert_int_equal(dh_vclock_get(&v, 70000), 0);
	dh_vclock_release(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws),
		cmocka_unit_test(ticks_come_after),
		cmocka_unit_test(epochs),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests_name("model/vclock", tests, NULL, NULL);
}
