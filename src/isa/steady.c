#include "isa/steady.h"

/* 0f xx modrm(disp8, register field) sib(rsp) disp8 */
#define LENGTH 5
#define REACH  256 /* a restore is not farther than this from its save */

static bool is_at(const uint8_t *code, uint8_t opcode, uint8_t modrm)
{
	return code[0] == 0x0f && code[1] == opcode && code[2] == modrm && code[3] == 0x24;
}

static bool is_save(const uint8_t *code)
{
	return is_at(code, 0xc7, 0x64) || is_at(code, 0xae, 0x64); /* XSAVEC, XSAVE */
}

static void replace(uint8_t *code, uint8_t modrm)
{
	code[1] = 0xae;
	code[2] = modrm;
}

/* The restore from the same place on the stack, or NULL. */
static uint8_t *find_restore(uint8_t *save, const uint8_t *end)
{
	for (uint8_t *p = save + LENGTH; p + LENGTH <= end && p < save + REACH; p++) {
		if (is_save(p))
			return NULL;
		if (is_at(p, 0xae, 0x6c) && p[4] == save[4])
			return p;
	}
	return NULL;
}

size_t dh_steady_saves(uint8_t *code, size_t len)
{
	const uint8_t *end = code + len;
	size_t n = 0;

	for (uint8_t *p = code; p + LENGTH <= end; p++) {
		uint8_t *restore = is_save(p) ? find_restore(p, end) : NULL;

		if (!restore)
			continue;
		replace(p, 0x44);
		replace(restore, 0x4c);
		n++;
		p = restore + LENGTH - 1;
	}
	return n;
}
