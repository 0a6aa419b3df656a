/* Registers and memory of a process are whatever it likes: nothing may crash, run for long or
 * write beyond the array, and a failure is one of those that the header lists. */
#include "../unit.h"

#include <errno.h>

#include "base/buf.h"
#include "sysmodel/row.h"

#define ROUNDS 40
#define MAX_N  32

static uint64_t seed;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Small numbers, numbers near limits, addresses, and anything. */
static uint64_t value(void)
{
	static const uint64_t edges[] = {0, 1, 2, 3, 8, 16, 1024, 4096, 0x7fffffff, 0xffffffff,
		0x7fffffffffff, UINT64_MAX, UINT64_MAX - 4095, (uint64_t)INT64_MIN};

	switch (next() % 4) {
	case 0:
		return edges[next() % DH_ARRAY_SIZE(edges)];
	case 1:
		return next() % 64;
	case 2:
		return 0x10000 + next() % 0x100000;
	default:
		return next();
	}
}

static int wild_read(void *cookie, uint64_t addr, void *p, size_t n)
{
	unsigned char *to = p;

	if (next() % 8 == 0 || n > 65536)
		return -EFAULT;
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint64_t v = value();

		memcpy(to + i, &v, 8);
	}
	for (size_t i = n & ~7UL; i < n; i++)
		to[i] = (unsigned char)next();
	return 0;
}

static void check_ranges(const struct dh_sys_range *ranges, int n)
{
	assert_true(n <= MAX_N);
	assert_true(n >= 0 || n == -E2BIG || n == -EFAULT || n == -ENOTSUP);
	for (int i = 0; i < n; i++) {
		assert_true(ranges[i].addr && ranges[i].len);
		assert_true(ranges[i].addr + ranges[i].len > ranges[i].addr);
	}
	assert_int_equal(ranges[MAX_N].addr, 0x5a5a);
}

static void one_call(int64_t nr, dh_sys_read_fn *read)
{
	struct dh_sys_range ranges[MAX_N + 1];
	struct dh_sys_call c = {.nr = nr, .read = read};
	struct dh_buf text = DH_BUF_INIT;
	uint64_t mask;

	for (int i = 0; i < 6; i++)
		c.arg[i] = value();
	c.result = next() % 3 ? (int64_t)(value() & INT64_MAX) : -(int64_t)(next() % 600);
	if (next() % 8 == 0)
		c.result = -EFAULT;
	ranges[MAX_N].addr = 0x5a5a;
	check_ranges(ranges, dh_sysmodel_outputs(&c, ranges, MAX_N));
	check_ranges(ranges, dh_sysmodel_inputs(&c, ranges, MAX_N));
	dh_sysmodel_class(&c);
	dh_sysmodel_flags(&c);
	dh_sysmodel_refusal(&c);
	dh_sysmodel_sigmask(&c, &mask);
	dh_sysmodel_format(&c, next() % 2, &text);
	assert_true(text.len > 0 && text.len < 65536);
	dh_buf_release(&text);
}

static void survives_any_argument(void **state)
{
	seed = 88172645463325252UL;
	for (int64_t nr = -1; nr <= DH_SYS_MAX_NR + 1; nr++) {
		for (int i = 0; i < ROUNDS; i++)
			one_call(nr, wild_read);
		one_call(nr, NULL);
	}
}

/* Every listed request, with arguments of any kind beside it. */
static void survives_any_request(void **state)
{
	seed = 4101842887655102017UL;
	for (int64_t nr = 0; nr <= DH_SYS_MAX_NR; nr++) {
		const struct dh_sys_row *row = dh_sys_row(nr);

		for (size_t i = 0; row && row->requests && i < row->requests->n; i++) {
			struct dh_sys_range ranges[MAX_N + 1] = {[MAX_N] = {.addr = 0x5a5a}};
			struct dh_sys_call c = {.nr = nr, .read = wild_read};

			for (int k = 0; k < 6; k++)
				c.arg[k] = value();
			c.arg[row->requests->arg] = row->requests->rows[i].value
						    << row->requests->shift;
			check_ranges(ranges, dh_sysmodel_outputs(&c, ranges, MAX_N));
			check_ranges(ranges, dh_sysmodel_inputs(&c, ranges, MAX_N));
		}
	}
}

static void says_when_it_does_not_know(void **state)
{
	struct dh_sys_range r[4];
	/* DRM_IOCTL_VERSION: a structure full of pointers. */
	struct dh_sys_call c = {.nr = 16, .arg = {3, 0xc0406400, 0x10000}, .read = wild_read};

	assert_int_equal(dh_sysmodel_outputs(&c, r, 4), -ENOTSUP);
	assert_int_equal(dh_sysmodel_inputs(&c, r, 4), -ENOTSUP);
	c.result = -ENOTTY;
	assert_int_equal(dh_sysmodel_outputs(&c, r, 4), 0);
	c = (struct dh_sys_call){.nr = dh_sysmodel_number("restart_syscall"), .result = -EINTR};
	assert_int_equal(dh_sysmodel_outputs(&c, r, 4), -ENOTSUP);
	c = (struct dh_sys_call){.nr = 400};
	assert_int_equal(dh_sysmodel_outputs(&c, r, 4), -ENOTSUP);
	c = (struct dh_sys_call){.nr = dh_sysmodel_number("getresuid"), .arg = {64, 128, 256}};
	assert_int_equal(dh_sysmodel_outputs(&c, r, 2), -E2BIG);
	assert_int_equal(dh_sysmodel_outputs(&c, r, 3), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(survives_any_argument),
		cmocka_unit_test(survives_any_request),
		cmocka_unit_test(says_when_it_does_not_know),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
