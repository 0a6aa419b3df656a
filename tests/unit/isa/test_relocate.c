#include "../unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "isa/access.h"
#include "isa/insn.h"
#include "isa/relocate.h"
#include "isa/x86.h"
#include "native.h"

#define PAGE 4096

static struct {
	uint8_t *from, *near, *far; /* pages of breakpoints; code goes to the middle */
	uint8_t *data;
	uint8_t before[2 * PAGE], after[2 * PAGE];
	unsigned ran, refused, branches, relative;
} t;

static uint64_t middle(const uint8_t *page)
{
	return (uint64_t)(uintptr_t)page + PAGE / 2;
}

static uint8_t *map_code(uint8_t *at)
{
	uint8_t *p = mmap(at, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	memset(p, 0xcc, PAGE);
	return p;
}

/* Original and near copy lie inside the guard around the data, so that no direct branch and no
 * relative operand reaches the test itself. */
static void prepare(void)
{
	native_init();
	if (t.data)
		return;
	t.data = native_map_guarded(sizeof(t.before));
	t.from = map_code(t.data - (UINT64_C(1) << 29));
	t.near = map_code(t.data + (UINT64_C(1) << 29));
	t.far = map_code(NULL);
	assert_true(t.far < t.from - (UINT64_C(1) << 31) || t.far > t.from + (UINT64_C(1) << 31));
	for (size_t i = 0; i < sizeof(t.before); i++)
		t.before[i] = (uint8_t)native_random();
}

static void run(uint8_t *page, const uint8_t *code, size_t n, struct native_state *s,
	struct native_result *ret)
{
	memset(page, 0xcc, PAGE);
	memcpy(page + PAGE / 2, code, n);
	memcpy(t.data, t.before, sizeof(t.before));
	dh_regs_set_pc(&s->regs, middle(page));
	native_run(s, NULL, NULL, ret);
	memset(page, 0xcc, PAGE);
}

/* Where the original ended and where the copy must have. */
static void check_end(const struct dh_insn *insn, const struct native_result *a,
	const struct native_result *b, uint64_t to, size_t n)
{
	uint64_t pa = dh_regs_pc(&a->state.regs), pb = dh_regs_pc(&b->state.regs);

	assert_int_equal(a->signal, b->signal);
	assert_int_equal(a->has_fault, b->has_fault);
	if (pa == insn->pc) {
		assert_true(pb >= to && pb < to + n);
		assert_int_equal(a->fault, b->fault);
	} else if (pa == insn->pc + insn->length && pb != pa) {
		assert_int_equal(pb, to + n);
	} else {
		assert_int_equal(pa, pb);
		t.branches++;
	}
}

static bool stays_in_data(const struct dh_insn *insn, const struct dh_regs *regs)
{
	struct dh_mem_access a[DH_INSN_MAX_MEM];
	int n = dh_mem_accesses(insn, regs, a);

	for (int i = 0; i < n; i++) {
		if (!native_is_safe(a[i].addr, a[i].size))
			return false;
	}
	return n >= 0;
}

static void compare_runs(const uint8_t *bytes, const struct dh_insn *insn, uint8_t *page)
{
	struct native_state s;
	struct native_result a, b;
	uint8_t code[DH_RELOCATE_MAX];
	int n = dh_relocate(bytes, insn->length, insn->pc, middle(page), code, sizeof(code));

	if (n < 0) {
		t.refused++;
		return;
	}
	native_random_state(&s, t.data, sizeof(t.before));
	if (!stays_in_data(insn, &s.regs))
		return;
	run(t.from, bytes, insn->length, &s, &a);
	if ((insn->flags & DH_INSN_CALL) && dh_regs_pc(&a.state.regs) == insn->pc)
		return; /* a call that faults may differ in what it has pushed */
	memcpy(t.after, t.data, sizeof(t.after));
	run(page, code, (size_t)n, &s, &b);
	assert_memory_equal(t.data, t.after, sizeof(t.after));
	check_end(insn, &a, &b, middle(page), (size_t)n);
	dh_regs_set_pc(&a.state.regs, 0);
	dh_regs_set_pc(&b.state.regs, 0);
	assert_memory_equal(&a.state, &b.state, sizeof(a.state));
	t.ran++;
}

/* Half of the relative operands are made to hit the data. */
static void aim_at_data(uint8_t *bytes, const struct dh_insn *insn)
{
	struct dh_x86_insn x;
	uint64_t to = (uint64_t)(uintptr_t)t.data + native_random() % sizeof(t.before);
	uint32_t distance = (uint32_t)(to - insn->pc - insn->length);

	if (dh_x86_decode(bytes, 15, &x) == 0 && x.i.raw.disp.size == 32 && native_random() % 2)
		memcpy(bytes + x.i.raw.disp.offset, &distance, sizeof(distance));
}

static bool hits(uint64_t addr, uint64_t size, const uint8_t *page)
{
	return addr < (uint64_t)(uintptr_t)page + PAGE && addr + size > (uint64_t)(uintptr_t)page;
}

/* Accesses with fixed addresses must not hit the code; all others go through registers that point
 * to data or nowhere, checked with the registers of the run by the guard. */
static bool is_safe(const struct dh_insn *insn)
{
	uint64_t inside = insn->target - insn->pc;

	if (insn->flags & DH_INSN_SEGMENT)
		return false; /* the test's own thread needs them */
	if ((insn->flags & DH_INSN_BRANCH) && !(insn->flags & DH_INSN_INDIRECT) &&
		(inside < insn->length || hits(insn->target, 1, t.near)))
		return false; /* loops for ever, or ends in the copy */
	for (int i = 0; i < insn->n_mem; i++) {
		const struct dh_insn_mem *m = &insn->mem[i];

		if (m->segment >= 0)
			return false;
		if (m->base >= 0 || m->index >= 0)
			continue;
		if (!native_is_safe((uint64_t)m->disp, m->size) ||
			hits((uint64_t)m->disp, m->size, t.from) ||
			hits((uint64_t)m->disp, m->size, t.near))
			return false;
	}
	return true;
}

static void try_bytes(uint8_t *bytes)
{
	struct dh_insn insn;

	if (dh_insn_decode(bytes, 15, middle(t.from), &insn) < 0)
		return;
	for (int i = 0; i < insn.n_mem; i++) {
		if (insn.mem[i].flags & DH_MEM_PC) {
			aim_at_data(bytes, &insn);
			t.relative++;
		}
	}
	dh_insn_decode(bytes, 15, middle(t.from), &insn);
	if (!is_safe(&insn))
		return;
	compare_runs(bytes, &insn, t.near);
	compare_runs(bytes, &insn, t.far);
}

static void random_instructions_do_the_same(void **state)
{
	uint8_t bytes[15];

	(void)state;
	prepare();
	for (int i = 0; i < 100000; i++) {
		native_random_insn(bytes);
		try_bytes(bytes);
	}
	print_message("%u pairs of runs, %u refused\n", t.ran, t.refused);
	assert_true(t.ran > 50000);
}

/* Forms that random bytes seldom hit.  The zeros behind become random. */
static const struct {
	const char *bytes;
	uint8_t n;
} forms[] = {
	{"\x70", 1},                               /* jo short; the other conditions follow below */
	{"\x75", 1}, {"\x7f", 1}, {"\x0f\x84", 2}, /* je near */
	{"\x0f\x8c", 2}, {"\xe0", 1},              /* loopne */
	{"\xe1", 1}, {"\xe2", 1}, {"\xe3", 1},     /* jrcxz */
	{"\x67\xe2", 2}, {"\x67\xe3", 2}, {"\xeb", 1}, {"\xe9", 1}, {"\xe8", 1}, /* call */
	{"\xff\xd0", 2},                                                         /* call rax */
	{"\x41\xff\xd3", 3},                                                     /* call r11 */
	{"\xff\x15", 2},                                                         /* call [rip] */
	{"\x41\xff\x15", 3}, {"\xff\x25", 2},                                    /* jmp [rip] */
	{"\xff\xe1", 2}, {"\xff\x35", 2},                                        /* push [rip] */
	{"\x8f\x05", 2},                                                         /* pop [rip] */
	{"\x48\x8d\x05", 3},                                                     /* lea */
	{"\x48\x8b\x0d", 3}, {"\x83\x05", 2},             /* add [rip], imm8 */
	{"\x48\x81\x3d", 3},                              /* cmp [rip], imm32 */
	{"\x66\x81\x05", 3},                              /* imm16 */
	{"\xf6\x05", 2},                                  /* test imm8 */
	{"\x0f\x10\x15", 3},                              /* movups */
	{"\x66\x0f\x70\x1d", 4},                          /* pshufd imm8 */
	{"\xf0\x48\x0f\xc1\x15", 5}, {"\x0f\xba\x2d", 3}, /* bts imm8 */
	{"\xc3", 1}, {"\xc2", 1}, {"\xf3\xa4", 2}, {"\xf2\xae", 2},
	{"\xc4\xe1\x7e\x6f\x05", 5}, /* vmovdqu */
};

static void forms_do_the_same(void **state)
{
	uint8_t bytes[15];
	unsigned ran = t.ran;

	(void)state;
	prepare();
	for (int round = 0; round < 1000; round++) {
		for (size_t i = 0; i < DH_ARRAY_SIZE(forms); i++) {
			native_random_insn(bytes);
			memcpy(bytes, forms[i].bytes, forms[i].n);
			try_bytes(bytes);
		}
	}
	print_message("%u pairs, %u through branches, %u relative\n", t.ran - ran, t.branches,
		t.relative);
	assert_true(t.ran - ran > 40000 && t.branches > 20000 && t.relative > 10000);
}

static int relocate(const char *bytes, size_t n, uint64_t to)
{
	uint8_t out[DH_RELOCATE_MAX];

	return dh_relocate((const uint8_t *)bytes, n, 0x10000, to, out, sizeof(out));
}

static void refuses_what_cannot_move(void **state)
{
	static const struct {
		const char *bytes;
		uint8_t n;
	} row[] = {
		{"\x0f\x05", 2},
		{"\xcd\x80", 2},
		{"\xcc", 1},
		{"\x0f\x0b", 2},
		{"\xf4", 1},
		{"\x0f\x31", 2},
		{"\x0f\x01\xf9", 3},
		{"\x0f\xa2", 2},
		{"\x0f\xc7\xf0", 3},
		{"\xc7\xf8\x00\x00\x00\x00", 6},
		{"\xff\x10", 2}, /* call [rax] */
		{"\xff\x54\x24\x08", 4},
		{"\xff\xd4", 2}, /* call rsp */
		{"\x9d", 1},
		{"\x48\xcf", 2},
		{"\xff\x28", 2},
		{"\x06", 1},
		{"\x66\xe9\x00\x00\x00\x00", 6},
		{"\x67\x8b\x05\x00\x00\x00\x00", 7},
	};

	(void)state;
	for (size_t i = 0; i < DH_ARRAY_SIZE(row); i++)
		assert_int_equal(relocate(row[i].bytes, row[i].n, 0x20000), -ENOTSUP);
	/* mov rax, [rip]: reached from a distance of 2 GiB, not from further away. */
	assert_int_equal(relocate("\x48\x8b\x05\x00\x00\x00\x00", 7, 0x80010000), 7);
	assert_int_equal(relocate("\x48\x8b\x05\x00\x00\x00\x00", 7, 0x80010001), -ERANGE);
	assert_int_equal(relocate("\x48\x8b\x05\x00", 4, 0x20000), -ENODATA);
}

static void small_buffers_are_respected(void **state)
{
	uint8_t out[DH_RELOCATE_MAX];

	(void)state;
	for (size_t size = 0; size < 28; size++) {
		memset(out, 0x77, sizeof(out));
		assert_int_equal(dh_relocate((const uint8_t *)"\xe8\x00\x00\x00\x00", 5, 0,
					 UINT64_C(1) << 40, out, size),
			-ENOSPC);
		for (size_t i = size; i < sizeof(out); i++)
			assert_int_equal(out[i], 0x77);
	}
}

static void jumps(void **state)
{
	uint8_t out[DH_ISA_JUMP_ABSOLUTE_SIZE];
	struct native_state s;
	struct native_result r;

	(void)state;
	prepare();
	native_random_state(&s, t.data, sizeof(t.before));
	assert_int_equal(dh_isa_jump(middle(t.from), middle(t.near), out), 0);
	run(t.from, out, DH_ISA_JUMP_SIZE, &s, &r);
	assert_int_equal(dh_regs_pc(&r.state.regs), middle(t.near));
	assert_int_equal(dh_isa_jump(middle(t.from), middle(t.far), out), -ERANGE);
	dh_isa_jump_absolute(middle(t.far), out);
	run(t.from, out, DH_ISA_JUMP_ABSOLUTE_SIZE, &s, &r);
	assert_int_equal(dh_regs_pc(&r.state.regs), middle(t.far));
}

/* Each byte behind the first stops at once and changes nothing. */
static void trapping_jumps_trap_inside(void **state)
{
	uint8_t out[DH_ISA_JUMP_SIZE + 15];
	struct native_state s;
	struct native_result r;
	unsigned usable = 0;

	(void)state;
	prepare();
	for (unsigned i = 0; i < DH_ISA_TRAPPING_TARGETS; i++) {
		uint64_t to = dh_isa_trapping_target(middle(t.from), i);

		if (!to)
			continue;
		usable++;
		assert_int_equal(dh_isa_jump(middle(t.from), to, out), 0);
		for (int k = 1; k < DH_ISA_JUMP_SIZE; k++) {
			native_random_insn(out + DH_ISA_JUMP_SIZE);
			native_random_state(&s, t.data, sizeof(t.before));
			run(t.from, out + k, sizeof(out) - (size_t)k, &s, &r);
			assert_true(r.signal == SIGTRAP || r.signal == SIGILL);
			dh_regs_set_pc(&s.regs, middle(t.from));
			assert_memory_equal(&r.state, &s, sizeof(s));
		}
	}
	assert_int_equal(usable, DH_ISA_TRAPPING_TARGETS);
	assert_int_equal(dh_isa_trapping_target(0x401000, 0), 0);
	assert_int_equal(dh_isa_trapping_target(middle(t.from), DH_ISA_TRAPPING_TARGETS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_instructions_do_the_same),
		cmocka_unit_test(refuses_what_cannot_move),
		cmocka_unit_test(small_buffers_are_respected),
		cmocka_unit_test(forms_do_the_same),
		cmocka_unit_test(jumps),
		cmocka_unit_test(trapping_jumps_trap_inside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
