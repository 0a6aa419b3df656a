#include "isa/stub.h"

#include <cpuid.h>
#include <errno.h>

#include "isa/emit.h"
#include "isa/regs.h"
#include "isa/relocate.h"
#include "isa/x86.h"
#include "isa/xstate.h"

/* The data: two saved registers, room for one vector register, room for the x87 state. */
#define AT_COUNT  0
#define AT_OTHER  8
#define AT_VECTOR 64
#define AT_X87    512

/* Numbers of registers in instructions.  The count register is the only one that a jump can test
 * without the flags, so all tests end in it. */
#define COUNT 1u
#define STACK 4u

/* Offsets in the extended state. */
#define X87_END      160u
#define MXCSR        24u
#define XMM          160u
#define XMM_END      416u
#define AVX          2
#define OPMASK       5
#define ZMM_HIGH     6
#define ZMM_UPPER    7

#define ARITHMETIC   0xd5u /* sign, zero, adjust, parity, carry, where lahf puts them */
#define OVERFLOW_BIT 11

struct builder {
	struct dh_emit e;
	uint64_t data;
	const struct dh_xstate_layout *layout;
	int error;
};

/* An instruction whose operand is at a fixed place: opcode bytes and register are given, the
 * addressing is relative. */
static void with_data(struct builder *b, const char *opcode, size_t n, unsigned reg, uint64_t addr)
{
	dh_emit_bytes(&b->e, opcode, n);
	dh_emit_u8(&b->e, (uint8_t)((reg & 7) << 3 | 5));
	dh_emit_distance(&b->e, addr, 0);
}

#define WITH_DATA(b, opcode, reg, addr) with_data(b, opcode, sizeof(opcode) - 1, reg, addr)

static void save_count(struct builder *b)
{
	WITH_DATA(b, "\x48\x89", COUNT, b->data + AT_COUNT);
}

static void restore_count(struct builder *b)
{
	WITH_DATA(b, "\x48\x8b", COUNT, b->data + AT_COUNT);
}

static void save_accumulator(struct builder *b)
{
	WITH_DATA(b, "\x48\x89", 0, b->data + AT_OTHER);
}

static void restore_accumulator(struct builder *b)
{
	WITH_DATA(b, "\x48\x8b", 0, b->data + AT_OTHER);
}

static void load_constant(struct builder *b, unsigned reg, uint64_t value)
{
	dh_emit_u8(&b->e, 0x48);
	dh_emit_u8(&b->e, (uint8_t)(0xb8 | reg)); /* movabs */
	dh_emit_u64(&b->e, value);
}

/* lea count, [reg + index]: index is the count register or the accumulator. */
static void add_registers(struct builder *b, unsigned reg, unsigned index)
{
	dh_emit_u8(&b->e, 0x48 | (reg >= 8));
	dh_emit_code(&b->e, "\x8d\x4c"); /* to count, scaled form with a displacement of 8 bits */
	dh_emit_u8(&b->e, (uint8_t)(index << 3 | (reg & 7)));
	dh_emit_u8(&b->e, 0);
}

/* lea count, [reg + displacement] */
static void add_displacement(struct builder *b, unsigned reg, uint32_t displacement)
{
	dh_emit_u8(&b->e, 0x48 | (reg >= 8));
	dh_emit_u8(&b->e, 0x8d);
	dh_emit_u8(&b->e, (uint8_t)(0x88 | (reg & 7)));
	if ((reg & 7) == STACK)
		dh_emit_u8(&b->e, 0x24);
	dh_emit_u32(&b->e, displacement);
}

/* count = reg - value, by addresses instead of arithmetic, which would change flags. */
static void subtract(struct builder *b, unsigned reg, uint64_t value)
{
	uint64_t minus = -value;

	if ((int64_t)minus == (int32_t)minus) {
		add_displacement(b, reg, (uint32_t)minus);
	} else if (reg != COUNT) {
		load_constant(b, COUNT, minus);
		add_registers(b, reg, COUNT);
	} else {
		save_accumulator(b);
		load_constant(b, 0, minus);
		add_registers(b, COUNT, 0);
		restore_accumulator(b);
	}
}

/* Loads size bytes, zero-extended, into the count register.  The only instruction of a stub that
 * may fault is here, and nothing but the count register is changed when it does. */
static int load(struct builder *b, uint64_t addr, uint8_t size)
{
	static const struct {
		char opcode[3];
		uint8_t n;
	} loads[9] = {
		[1] = {"\x0f\xb6", 2},
		[2] = {"\x0f\xb7", 2},
		[4] = {"\x8b", 1},
		[8] = {"\x48\x8b", 2},
	};

	if (size > 8 || !loads[size].n)
		return -EINVAL;
	if (dh_emit_reaches(dh_emit_here(&b->e) + loads[size].n + 5, addr)) {
		with_data(b, loads[size].opcode, loads[size].n, COUNT, addr);
		return 0;
	}
	load_constant(b, COUNT, addr);
	dh_emit_bytes(&b->e, loads[size].opcode, loads[size].n);
	dh_emit_u8(&b->e, COUNT << 3 | COUNT); /* [count] */
	return 0;
}

static int test_memory(struct builder *b, uint64_t addr, const struct dh_stub_test *t)
{
	int r = load(b, addr, t->size);

	if (r < 0)
		return r;
	if (t->size < 8 && t->value >> (t->size * 8))
		return -EINVAL;
	subtract(b, COUNT, t->value);
	return 0;
}

static int test_reg(struct builder *b, const struct dh_stub_test *t, bool first)
{
	int reg = dh_x86_number_of((int)DH_MIN(t->where, (uint64_t)DH_REGS_WORDS));

	if (reg < 0)
		return -EINVAL;
	if (reg == COUNT && !first)
		restore_count(b);
	subtract(b, (unsigned)reg, t->value);
	return 0;
}

/* lahf and seto read the flags into the accumulator without a stack. */
static int test_flags(struct builder *b, const struct dh_stub_test *t)
{
	uint64_t want = ((t->value & ARITHMETIC) | 2) << 8 | (t->value >> OVERFLOW_BIT & 1);

	save_accumulator(b);
	dh_emit_code(&b->e, "\x9f\x0f\x90\xc0"); /* lahf; seto al */
	dh_emit_code(&b->e, "\x0f\xb7\xc8");     /* movzx ecx, ax */
	restore_accumulator(b);
	subtract(b, COUNT, want);
	return 0;
}

static bool has_component(const struct builder *b, int i)
{
	return b->layout && b->layout->size[i] && b->layout->offset[i];
}

/* The offset inside a component, or -1 when it lies elsewhere. */
static int64_t in_component(const struct builder *b, int i, const struct dh_stub_test *t)
{
	uint64_t at = t->where - b->layout->offset[i];

	return has_component(b, i) && at < b->layout->size[i] ? (int64_t)at : -1;
}

/* Stores one vector register.  The encoding of newer units is used where there is one: on some
 * processors the old one is slow while the upper parts are in use. */
static void store_vector(struct builder *b, unsigned reg, unsigned bytes)
{
	uint64_t to = b->data + AT_VECTOR;
	uint8_t evex[] = {0x62, 0xf1, 0x7c, 0x48, 0x11};
	uint8_t vex[] = {0xc5, reg & 8 ? 0x78 : 0xf8, 0x11};
	uint8_t rex = 0x44;

	if (bytes == 64) {
		evex[1] &= (uint8_t) ~((reg & 8) << 4 | (reg & 16));
		with_data(b, (char *)evex, sizeof(evex), reg, to);
	} else if (has_component(b, AVX)) {
		vex[1] |= bytes == 32 ? 4 : 0;
		with_data(b, (char *)vex, sizeof(vex), reg, to);
	} else {
		dh_emit_bytes(&b->e, &rex, reg & 8 ? 1 : 0);
		WITH_DATA(b, "\x0f\x11", reg, to);
	}
}

static bool has_wide_masks(void)
{
	uint32_t a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512BW);
}

/* Pieces beyond the legacy region. */
static int test_component(struct builder *b, const struct dh_stub_test *t)
{
	static const struct {
		uint8_t component, each, skip, first; /* bytes per register, bytes below */
		uint8_t whole;
	} vectors[] = {{AVX, 16, 16, 0, 32}, {ZMM_HIGH, 32, 32, 0, 64}, {ZMM_UPPER, 64, 0, 16, 64}};
	int64_t at;

	if (!b->layout)
		return -EINVAL;
	for (size_t i = 0; i < DH_ARRAY_SIZE(vectors); i++) {
		unsigned each = vectors[i].each;

		at = in_component(b, vectors[i].component, t);
		if (at < 0)
			continue;
		store_vector(b, vectors[i].first + (unsigned)at / each, vectors[i].whole);
		return test_memory(
			b, b->data + AT_VECTOR + vectors[i].skip + (unsigned)at % each, t);
	}
	at = in_component(b, OPMASK, t);
	if (at < 0 || !has_wide_masks())
		return -ENOTSUP;
	WITH_DATA(b, "\xc4\xe1\xf8\x91", (unsigned)at / 8, b->data + AT_VECTOR); /* kmovq */
	return test_memory(b, b->data + AT_VECTOR + (unsigned)at % 8, t);
}

static int test_xstate(struct builder *b, const struct dh_stub_test *t)
{
	uint64_t end = t->where + t->size;

	if (t->where >= XMM_END)
		return test_component(b, t);
	if (t->where >= XMM && end <= XMM_END) {
		store_vector(b, (unsigned)(t->where - XMM) / 16, 16);
		return test_memory(b, b->data + AT_VECTOR + t->where % 16, t);
	}
	if (t->where >= MXCSR && end <= MXCSR + 4) {
		WITH_DATA(b, "\x0f\xae", 3, b->data + AT_VECTOR); /* stmxcsr */
		return test_memory(b, b->data + AT_VECTOR + t->where - MXCSR, t);
	}
	if (end > X87_END)
		return -EINVAL;
	WITH_DATA(b, "\x48\x0f\xae", 0, b->data + AT_X87); /* fxsave64 */
	return test_memory(b, b->data + AT_X87 + t->where, t);
}

/* Leaves 0 in the count register when the test holds. */
static void emit_test(struct builder *b, const struct dh_stub_test *t, bool first)
{
	int r = -EINVAL;

	switch (t->kind) {
	case DH_STUB_REG:
		r = test_reg(b, t, first);
		break;
	case DH_STUB_FLAGS:
		r = test_flags(b, t);
		break;
	case DH_STUB_MEM:
		r = test_memory(b, t->where, t);
		break;
	case DH_STUB_XSTATE:
		r = test_xstate(b, t);
		break;
	}
	if (r < 0 && !b->error)
		b->error = r;
}

static void emit_displaced(struct builder *b, const struct dh_window *w, struct dh_stub *s)
{
	size_t at = 0;

	for (int i = 0; i < w->n; i++) {
		uint8_t code[DH_RELOCATE_MAX];
		uint64_t from = w->pc + at, to = dh_emit_here(&b->e);
		int n = dh_relocate(w->bytes + at, w->insn_length[i], from, to, code, sizeof(code));

		if (n < 0) {
			b->error = b->error ? b->error : n;
			return;
		}
		dh_emit_bytes(&b->e, code, (size_t)n);
		s->moved[s->n_moved++] =
			(struct dh_stub_moved){.from = from, .at = to, .size = (uint32_t)n};
		at += w->insn_length[i];
	}
	if (!w->ends)
		dh_emit_jump(&b->e, w->pc + w->length);
}

/* The part that every visit runs.  Its jump on a hit is short and goes back to the very beginning
 * of the code, from where a long one leads on, so that the displaced instructions may be of any
 * length. */
static void emit_filter(struct builder *b, const struct dh_stub_test *tests, size_t n)
{
	while (b->e.n < DH_STUB_ENTRY)
		dh_emit_u8(&b->e, 0xcc);
	save_count(b);
	if (!n) {
		dh_emit_jump(&b->e, b->e.at);
		return;
	}
	emit_test(b, &tests[0], true);
	dh_emit_u8(&b->e, 0xe3); /* jrcxz */
	dh_emit_u8(&b->e, (uint8_t)(0 - (b->e.n + 1)));
}

static void emit_rest(struct builder *b, const struct dh_stub_test *tests, size_t n, uint64_t miss,
	struct dh_stub *s)
{
	s->tests = dh_emit_here(&b->e);
	for (size_t i = 1; i < n; i++) {
		emit_test(b, &tests[i], false);
		dh_emit_u8(&b->e, 0xe3);
		dh_emit_u8(&b->e, DH_EMIT_JUMP_NEAR);
		dh_emit_jump(&b->e, miss);
	}
	restore_count(b);
	s->trap = dh_emit_here(&b->e);
	dh_emit_u8(&b->e, 0xcc);
	dh_emit_jump(&b->e, s->resume);
	s->end = dh_emit_here(&b->e);
}

/* The long jump at the beginning, once its target is known. */
static void emit_hop(struct builder *b, uint64_t target)
{
	size_t n = b->e.n;

	b->e.n = 0;
	dh_emit_jump(&b->e, target);
	b->e.n = n;
}

int dh_stub_build(const struct dh_window *w, const struct dh_stub_test *tests, size_t n,
	const struct dh_xstate_layout *layout, uint64_t code_at, uint64_t data_at, uint8_t *out,
	size_t size, struct dh_stub *ret)
{
	struct builder b = {
		.e = {.out = out, .size = size, .at = code_at}, .data = data_at, .layout = layout};
	struct dh_stub s = {
		.pc = w->pc, .entry = code_at + DH_STUB_ENTRY, .saved = data_at + AT_COUNT};
	uint64_t miss;

	if (data_at % 64)
		return -EINVAL;
	emit_filter(&b, tests, n);
	miss = dh_emit_here(&b.e);
	restore_count(&b);
	s.resume = dh_emit_here(&b.e);
	emit_displaced(&b, w, &s);
	emit_rest(&b, tests, n, miss, &s);
	emit_hop(&b, s.tests);
	if (b.error || b.e.error)
		return b.error ? b.error : b.e.error;
	*ret = s;
	return (int)b.e.n;
}

void dh_stub_reg_tests(const struct dh_regs *want, struct dh_stub_test ret[DH_STUB_REG_TESTS])
{
	int n = 0;

	for (int i = 0; i < DH_REGS_WORDS; i++) {
		if (dh_x86_number_of(i) >= 0)
			ret[n++] = (struct dh_stub_test){
				.kind = DH_STUB_REG, .where = (uint64_t)i, .value = want->word[i]};
	}
	ret[n] = (struct dh_stub_test){.kind = DH_STUB_FLAGS, .value = want->word[DH_X86_FLAGS]};
}

bool dh_stub_skip(const struct dh_stub *s, uint64_t saved, struct dh_regs *regs)
{
	uint64_t pc = dh_regs_pc(regs);
	bool filter = pc > s->entry && pc < s->resume;
	bool rest = pc >= s->tests && pc < s->trap;

	if (!filter && !rest)
		return false;
	regs->word[DH_X86_RCX] = saved;
	dh_regs_set_pc(regs, s->resume);
	return true;
}

uint64_t dh_stub_original(const struct dh_stub *s, uint64_t pc)
{
	if (pc == s->entry || pc == s->trap)
		return s->pc;
	for (int i = 0; i < s->n_moved; i++) {
		if (pc - s->moved[i].at < s->moved[i].size)
			return s->moved[i].from;
	}
	return 0;
}

uint64_t dh_stub_moved_to(const struct dh_stub *s, uint64_t from)
{
	for (int i = 0; i < s->n_moved; i++) {
		if (s->moved[i].from == from)
			return s->moved[i].at;
	}
	return 0;
}
