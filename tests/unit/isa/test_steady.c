#include "../unit.h"

#include "isa/steady.h"

/* xsavec 0x40(%rsp); call; xrstor 0x40(%rsp) */
static const uint8_t before[] = {
	0x90, 0x0f, 0xc7, 0x64, 0x24, 0x40, 0xe8, 0, 0, 0, 0, 0x0f, 0xae, 0x6c, 0x24, 0x40, 0xc3};
/* fxsave 0x40(%rsp); call; fxrstor 0x40(%rsp) */
static const uint8_t after[] = {
	0x90, 0x0f, 0xae, 0x44, 0x24, 0x40, 0xe8, 0, 0, 0, 0, 0x0f, 0xae, 0x4c, 0x24, 0x40, 0xc3};

static void pairs_are_replaced(void **state)
{
	uint8_t code[2 * sizeof(before)];

	(void)state;
	memcpy(code, before, sizeof(before));
	memcpy(code + sizeof(before), before, sizeof(before));
	code[sizeof(before) + 2] = 0xae; /* xsave */
	assert_int_equal(dh_steady_saves(code, sizeof(code)), 2);
	assert_memory_equal(code, after, sizeof(after));
	assert_memory_equal(code + sizeof(after), after, sizeof(after));
	/* What is exact already stays. */
	assert_int_equal(dh_steady_saves(code, sizeof(code)), 0);
}

static void halves_are_left_alone(void **state)
{
	uint8_t code[sizeof(before)];

	(void)state;
	memcpy(code, before, sizeof(before));
	code[15] = 0x48; /* restored from elsewhere */
	assert_int_equal(dh_steady_saves(code, sizeof(code)), 0);
	assert_int_equal(code[2], 0xc7);
	/* The end cuts the restore. */
	for (size_t n = 0; n < 16; n++) {
		memcpy(code, before, sizeof(before));
		assert_int_equal(dh_steady_saves(code, n), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_are_replaced),
		cmocka_unit_test(halves_are_left_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
