#include "../unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "isa/insn.h"
#include "isa/relocate.h"
#include "isa/stub.h"
#include "isa/window.h"
#include "isa/x86.h"
#include "isa/xstate.h"
#include "native.h"

/* A loop that carries state through everything that a stub must not disturb: carry and overflow
 * from one iteration to the next, the red zone, all general registers, vector registers, data
 * relative to the code, calls, and branches on flags and on the count. */
extern const uint8_t loop_start[], loop_end[], loop_data[];
__asm__(".pushsection .rodata\n"
	".globl loop_start, loop_end, loop_data\n"
	"loop_start:\n"
	"	adcq %rbx, %rax\n"
	"	leaq 1(%rdx,%rax), %rdx\n"
	"	movq %rax, -8(%rsp)\n"
	"	rcrq $1, %rsi\n"
	"	adcq %rsi, loop_data(%rip)\n"
	"	movq -8(%rsp), %rdi\n"
	"	jc 1f\n"
	"	notq %r8\n"
	"1:	adcq %rdi, %r8\n"
	"	call 2f\n"
	"	addq $0x1234567, %r9\n"
	"	movw %ax, loop_data+8(%rip)\n"
	"	incl %r10d\n"
	"	paddq %xmm1, %xmm0\n"
	"	xorq %rbp, %r13\n"
	"	leaq -8(%rsp), %rsp\n"
	"	leaq -1(%rcx), %rcx\n"
	"	jrcxz 3f\n"
	"	jmp loop_start\n"
	"2:	xchgq %r11, %r12\n"
	"	rolq $7, %r11\n"
	"	leaq (%r14,%r15,2), %r14\n"
	"	ret\n"
	"3:	int3\n"
	"	.balign 8\n"
	"loop_data: .quad 0, 0\n"
	"loop_end:\n"
	".popsection\n");

#define ROUNDS    40
#define CODE_SIZE 8192
#define DATA      (2 * 4096)

struct visit {
	struct native_state state;
	uint64_t memory[2];
};

static struct {
	uint8_t *loop;          /* the copy that runs and is patched */
	uint8_t *code, *data;   /* of the stub */
	uint8_t *stack;         /* the loop's */
	struct native_state in; /* the same for all runs */
	uint64_t site;
	struct visit visits[2 * ROUNDS];
	size_t n_visits;
	struct native_result plain; /* how the loop ends when left alone */
	uint8_t plain_stack[DATA];
	uint64_t plain_memory[2];
	struct dh_stub stub;
	size_t traps;
	struct visit trapped; /* the last one */
} t;

static uint64_t at(const uint8_t *p)
{
	return (uint64_t)(uintptr_t)p;
}

static uint64_t *memory(void)
{
	return (uint64_t *)(t.loop + (loop_data - loop_start));
}

static void reset(void)
{
	memcpy(t.loop, loop_start, (size_t)(loop_end - loop_start));
	memset(t.stack, 0, DATA);
}

static void prepare(void)
{
	int all = PROT_READ | PROT_WRITE | PROT_EXEC;

	native_init();
	native_seed(7);
	if (!t.loop) { /* near each other; the stack is not */
		t.loop = native_map(CODE_SIZE + 2 * 4096, all);
		t.data = t.loop + 4096;
		t.code = t.data + 4096;
		t.stack = native_map_guarded(DATA);
	}
	assert_false(at(t.stack) - at(t.code) + (UINT64_C(1) << 31) < UINT64_C(1) << 32);
	native_random_state(&t.in, t.stack, DATA);
	t.in.regs.word[DH_X86_RCX] = ROUNDS;
	t.in.regs.word[DH_X86_R10] = 0;
	t.in.regs.word[DH_X86_RSP] = at(t.stack) + DATA / 2;
	dh_regs_set_pc(&t.in.regs, at(t.loop));
}

/* Steps through the whole loop and notes the state at the site. */
static bool note_visit(struct native_state *s, void *arg)
{
	(void)arg;
	if (dh_regs_pc(&s->regs) == t.site) {
		struct visit *v = &t.visits[t.n_visits++];

		v->state = *s;
		v->state.regs.word[DH_X86_FLAGS] &= ~(uint64_t)DH_X86_FLAG_TRAP;
		memcpy(v->memory, memory(), sizeof(v->memory));
	}
	return *(uint8_t *)(uintptr_t)dh_regs_pc(&s->regs) != 0xcc;
}

static void learn_visits(void)
{
	struct native_state in = t.in;
	struct native_result r;

	reset();
	t.n_visits = 0;
	if (t.site == at(t.loop))
		note_visit(&in, NULL);
	in.regs.word[DH_X86_FLAGS] |= DH_X86_FLAG_TRAP;
	native_run(&in, note_visit, NULL, &r);
	assert_int_equal(r.signal, SIGTRAP);
	reset();
	native_run(&t.in, NULL, NULL, &t.plain);
	assert_int_equal(t.plain.signal, SIGTRAP);
	memcpy(t.plain_stack, t.stack, DATA);
	memcpy(t.plain_memory, memory(), sizeof(t.plain_memory));
}

static bool on_trap(struct native_state *s, void *arg)
{
	(void)arg;
	if (dh_regs_pc(&s->regs) != t.stub.trap)
		return false;
	t.traps++;
	t.trapped.state = *s;
	memcpy(t.trapped.memory, memory(), sizeof(t.trapped.memory));
	dh_regs_set_pc(&s->regs, t.stub.trap + 1);
	return true;
}

static int build(const struct dh_window *w, const struct dh_stub_test *tests, size_t n)
{
	struct dh_xstate_layout layout;

	dh_xstate_layout_host(&layout);
	memset(t.code, 0xcc, CODE_SIZE);
	return dh_stub_build(
		w, tests, n, &layout, at(t.code), at(t.data), t.code, CODE_SIZE, &t.stub);
}

static void patch(const struct dh_window *w)
{
	uint8_t jump[DH_ISA_JUMP_SIZE];

	assert_int_equal(dh_isa_jump(w->pc, t.stub.entry, jump), 0);
	memcpy(t.loop + (w->pc - at(t.loop)), jump, sizeof(jump));
}

/* Runs the patched loop to its end: whatever the stub did in between, the result is the same. */
static void run_patched(const struct dh_window *w, const struct dh_stub_test *tests, size_t n)
{
	struct native_result r;

	reset();
	assert_true(build(w, tests, n) > 0);
	patch(w);
	t.traps = 0;
	native_run(&t.in, on_trap, NULL, &r);
	assert_int_equal(r.signal, SIGTRAP);
	assert_memory_equal(&r.state, &t.plain.state, sizeof(r.state));
	assert_memory_equal(t.stack, t.plain_stack, DATA);
	assert_memory_equal(memory(), t.plain_memory, sizeof(t.plain_memory));
}

static bool holds(const struct dh_stub_test *test, const struct visit *v)
{
	uint64_t value = 0, mask = 0x8d5; /* arithmetic flags */

	if (test->kind == DH_STUB_REG)
		return v->state.regs.word[test->where] == test->value;
	if (test->kind == DH_STUB_FLAGS)
		return !((v->state.regs.word[DH_X86_FLAGS] ^ test->value) & mask);
	if (test->kind == DH_STUB_MEM)
		memcpy(&value, (const uint8_t *)v->memory + (test->where - at((uint8_t *)memory())),
			test->size);
	else
		memcpy(&value, v->state.xmm + (test->where - 160), test->size);
	return value == test->value;
}

/* The visits at which all of the tests hold, by the notes; *ret_last is the last of them. */
static size_t count_holding(
	const struct dh_stub_test *tests, size_t n, const struct visit **ret_last)
{
	size_t count = 0;

	for (size_t i = 0; i < t.n_visits; i++) {
		size_t k = 0;

		while (k < n && holds(&tests[k], &t.visits[i]))
			k++;
		if (k == n) {
			count++;
			*ret_last = &t.visits[i];
		}
	}
	return count;
}

static void check(const struct dh_window *w, const struct dh_stub_test *tests, size_t n)
{
	const struct visit *last = NULL;
	size_t expected = count_holding(tests, n, &last);
	struct native_state got;

	run_patched(w, tests, n);
	assert_int_equal(t.traps, expected);
	if (!expected)
		return;
	got = t.trapped.state;
	assert_int_equal(dh_regs_pc(&got.regs), t.stub.trap);
	dh_regs_set_pc(&got.regs, t.site);
	assert_memory_equal(&got, &last->state, sizeof(got));
	assert_memory_equal(t.trapped.memory, last->memory, sizeof(last->memory));
}

/* Everything that can be tested of one visit: 17 register tests, 4 memory, 4 vector. */
#define ALL_TESTS (DH_STUB_REG_TESTS + 8)

static void tests_of(const struct visit *v, struct dh_stub_test ret[ALL_TESTS])
{
	static const uint8_t sizes[4] = {8, 4, 2, 1};
	struct dh_stub_test *m = ret + DH_STUB_REG_TESTS;

	dh_stub_reg_tests(&v->state.regs, ret);
	for (int i = 0; i < 4; i++, m++) {
		*m = (struct dh_stub_test){.kind = DH_STUB_MEM,
			.size = sizes[i],
			.where = at((uint8_t *)(memory() + i % 2))};
		memcpy(&m->value, &v->memory[i % 2], m->size);
	}
	for (int i = 0; i < 4; i++, m++) {
		uint32_t offset = i < 2 ? (uint32_t)i * 8 : 15 * 16 + (uint32_t)i * 2;

		*m = (struct dh_stub_test){
			.kind = DH_STUB_XSTATE, .size = i < 2 ? 8 : 2, .where = 160 + offset};
		memcpy(&m->value, v->state.xmm + offset, m->size);
	}
}

static void try_site(const struct dh_window *w)
{
	struct dh_stub_test tests[ALL_TESTS], one;

	learn_visits();
	check(w, NULL, 0); /* every visit traps */
	for (size_t k = 0; k < t.n_visits; k += 13) {
		tests_of(&t.visits[k], tests);
		for (int i = 0; i < ALL_TESTS; i++) {
			size_t other = native_random() % ALL_TESTS;

			check(w, &tests[i], 1);
			one = tests[i];
			one.value ^= 1;
			check(w, &one, 1);
			one = tests[i];
			tests[i] = tests[other];
			tests[other] = one;
		}
		check(w, tests, ALL_TESTS);
		assert_int_equal(t.traps, 1);
	}
}

static void finds_the_visit_at_every_site(void **state)
{
	struct dh_window_code code = {.n = (size_t)(loop_data - loop_start)};
	struct dh_insn insn;
	struct dh_window w;
	unsigned sites = 0;

	(void)state;
	prepare();
	reset();
	code.bytes = loop_start;
	code.start = at(t.loop);
	for (size_t i = 0; i < code.n && loop_start[i] != 0xcc; i += insn.length) {
		assert_int_equal(
			dh_insn_decode(loop_start + i, code.n - i, code.start + i, &insn), 0);
		t.site = code.start + i;
		if (dh_window_choose(&code, t.site, &w) < 0)
			continue;
		sites++;
		try_site(&w);
	}
	print_message("%u sites\n", sites);
	assert_true(sites >= 12);
}

/* A loop over the state that general registers do not show. */
extern const uint8_t fp_start[], fp_site[], fp_end[], fp_control[], fp_step[], fp_out[];
__asm__(".pushsection .rodata\n"
	".globl fp_start, fp_site, fp_end, fp_control, fp_step, fp_out\n"
	"fp_start:\n"
	"	fninit\n"
	"	fldz\n"
	"	fld1\n"
	"	vpxor %xmm9, %xmm9, %xmm9\n"
	"	vmovdqu fp_step(%rip), %ymm3\n"
	"1:	fadd %st, %st(1)\n"
	"	vpaddq %ymm3, %ymm9, %ymm9\n"
	"	addl $0x2000, fp_control(%rip)\n" /* next rounding mode */
	"	andl $0x7fff, fp_control(%rip)\n"
	"	ldmxcsr fp_control(%rip)\n"
	"fp_site: leaq 1(%rax), %rax\n"
	"	nop\n"
	"	nop\n"
	"	leaq -1(%rcx), %rcx\n"
	"	jrcxz 2f\n"
	"	jmp 1b\n"
	"2:	vmovdqu %ymm9, fp_out(%rip)\n"
	"	vmovdqu %ymm3, fp_out+32(%rip)\n"
	"	int3\n"
	"	.balign 8\n"
	"fp_control: .long 0x1f80, 0\n"
	"fp_step: .quad 1, 2, 3, 4\n"
	"fp_out: .quad 0, 0, 0, 0, 0, 0, 0, 0\n"
	"fp_end:\n"
	".popsection\n");

static struct dh_stub_test fp_test(uint64_t offset, uint8_t size, uint64_t value)
{
	return (struct dh_stub_test){
		.kind = DH_STUB_XSTATE, .size = size, .where = offset, .value = value};
}

/* Runs the loop and returns in which round (from 1) the last trap was; *ret_traps how many. */
static uint64_t run_fp(const struct dh_window *w, const struct dh_stub_test *tests, size_t n)
{
	struct native_state in = t.in;
	struct native_result r;
	const uint64_t *out = (const uint64_t *)(t.loop + (fp_out - fp_start));

	in.regs.word[DH_X86_RAX] = 0;
	memcpy(t.loop, fp_start, (size_t)(fp_end - fp_start));
	assert_true(build(w, tests, n) > 0);
	patch(w);
	t.traps = 0;
	t.trapped.state.regs.word[DH_X86_RAX] = UINT64_MAX - 1;
	native_run(&in, on_trap, NULL, &r);
	assert_int_equal(r.signal, SIGTRAP);
	assert_int_equal(r.state.regs.word[DH_X86_RAX], ROUNDS);
	for (uint64_t i = 0; i < 4; i++) {
		assert_int_equal(out[i], ROUNDS * (i + 1));
		assert_int_equal(out[4 + i], i + 1);
	}
	return t.trapped.state.regs.word[DH_X86_RAX] + 1;
}

static void tests_floating_point_and_vector_state(void **state)
{
	struct dh_window_code code = {.bytes = fp_start, .n = (size_t)(fp_control - fp_start)};
	struct dh_xstate_layout layout;
	struct dh_stub_test all[4];
	struct dh_window w;
	uint64_t mantissa, exponent = 0;
	long double sum = 23;

	(void)state;
	dh_xstate_layout_host(&layout);
	if (!layout.size[2])
		skip(); /* the loop needs AVX */
	prepare();
	t.site = at(t.loop) + (uint64_t)(fp_site - fp_start);
	code.start = at(t.loop);
	assert_int_equal(dh_window_choose(&code, t.site, &w), 0);
	memcpy(&mantissa, &sum, 8);
	memcpy(&exponent, (uint8_t *)&sum + 8, 2);

	all[0] = fp_test(32 + 16, 8, mantissa);                     /* st(1) */
	all[1] = fp_test(layout.offset[2] + 9 * 16 + 8, 8, 4 * 23); /* highest of ymm9 */
	all[2] = fp_test(160 + 9 * 16, 4, 23);                      /* lowest of it */
	all[3] = fp_test(24, 4, (0x1f80 + 23 * 0x2000) & 0x7fff);   /* rounding control */
	for (int i = 0; i < 3; i++) {
		assert_int_equal(run_fp(&w, &all[i], 1), 23);
		assert_int_equal(t.traps, 1);
	}
	run_fp(&w, &all[3], 1);
	assert_int_equal(t.traps, ROUNDS / 4);
	assert_int_equal(run_fp(&w, all, 4), 23);
	all[0] = fp_test(32 + 16 + 8, 2, exponent); /* sums from 16 to 31 share it */
	run_fp(&w, all, 1);
	assert_int_equal(t.traps, 16);
	all[0] = fp_test(layout.offset[2] + 3 * 16, 8, 4); /* never */
	run_fp(&w, all, 1);
	assert_int_equal(t.traps, 0);
}

static struct dh_window first_window(void)
{
	struct dh_window_code code = {.bytes = loop_start, .start = at(t.loop)};
	struct dh_window w;

	code.n = (size_t)(loop_data - loop_start);
	t.site = at(t.loop);
	assert_int_equal(dh_window_choose(&code, t.site, &w), 0);
	return w;
}

/* Memory that is there at the expected visit need not be there at the others. */
static void lost_memory_is_a_mismatch(void **state)
{
	struct dh_stub_test tests[2];
	struct dh_window w;
	struct native_state s;
	struct native_result r;
	uint64_t saved;
	int skipped = 0;

	(void)state;
	prepare();
	w = first_window();
	learn_visits();
	for (int second = 0; second < 2; second++) {
		tests[second] = (struct dh_stub_test){.kind = DH_STUB_MEM,
			.size = 8,
			.where = at(t.stack) + 4 * DATA,
			.value = 1};
		tests[!second] = (struct dh_stub_test){.kind = DH_STUB_REG,
			.where = DH_X86_RBX,
			.value = t.in.regs.word[DH_X86_RBX]};
		reset();
		assert_true(build(&w, tests, 2) > 0);
		patch(&w);
		s = t.in;
		for (skipped = 0;; skipped++) {
			native_run(&s, on_trap, NULL, &r);
			if (r.signal != SIGSEGV)
				break;
			s = r.state;
			memcpy(&saved, (void *)(uintptr_t)t.stub.saved, 8);
			assert_true(dh_stub_skip(&t.stub, saved, &s.regs));
			assert_int_equal(dh_regs_pc(&s.regs), t.stub.resume);
		}
		assert_int_equal(skipped, ROUNDS);
		assert_memory_equal(&r.state, &t.plain.state, sizeof(r.state));
	}
	dh_regs_set_pc(&s.regs, t.stub.resume);
	assert_false(dh_stub_skip(&t.stub, 0, &s.regs));
}

static void memory_out_of_reach(void **state)
{
	static const uint8_t sizes[] = {1, 2, 4, 8};
	struct dh_stub_test test = {.kind = DH_STUB_MEM};
	struct dh_window w;
	struct native_result r;

	(void)state;
	prepare();
	w = first_window();
	for (size_t i = 0; i < DH_ARRAY_SIZE(sizes); i++) {
		for (uint64_t wrong = 0; wrong < 2; wrong++) {
			reset();
			memset(t.stack + 3, 0x91, 8);
			test.size = sizes[i];
			test.where = at(t.stack) + 3;
			test.value = (UINT64_C(0x9191919191919191) >> (64 - 8 * sizes[i])) ^ wrong;
			assert_true(build(&w, &test, 1) > 0);
			patch(&w);
			t.traps = 0;
			native_run(&t.in, on_trap, NULL, &r);
			assert_int_equal(t.traps, wrong ? 0 : ROUNDS);
		}
	}
}

static void addresses_lead_back(void **state)
{
	struct dh_window w;

	(void)state;
	prepare();
	w = first_window();
	assert_true(w.n >= 2);
	assert_true(build(&w, NULL, 0) > 0);
	assert_int_equal(t.stub.entry, at(t.code) + DH_STUB_ENTRY);
	assert_int_equal(dh_stub_original(&t.stub, t.stub.entry), w.pc);
	assert_int_equal(dh_stub_original(&t.stub, t.stub.trap), w.pc);
	assert_int_equal(dh_stub_original(&t.stub, t.stub.resume), w.pc);
	assert_int_equal(dh_stub_original(&t.stub, t.stub.end), 0);
	assert_int_equal(dh_stub_moved_to(&t.stub, w.pc), t.stub.resume);
	assert_int_equal(
		dh_stub_original(&t.stub, dh_stub_moved_to(&t.stub, w.pc + w.insn_length[0])),
		w.pc + w.insn_length[0]);
	assert_int_equal(dh_stub_moved_to(&t.stub, w.pc + 1), 0);
}

static void refuses_what_cannot_be_built(void **state)
{
	struct dh_stub_test bad[] = {
		{.kind = DH_STUB_REG, .where = DH_X86_RIP},
		{.kind = DH_STUB_REG, .where = UINT64_MAX},
		{.kind = DH_STUB_MEM, .size = 3},
		{.kind = DH_STUB_MEM, .size = 200},
		{.kind = DH_STUB_MEM, .size = 2, .value = 0x10000},
		{.kind = DH_STUB_XSTATE, .size = 8, .where = 412},
	};
	struct dh_stub_test tests[DH_STUB_REG_TESTS];
	struct dh_window w;
	struct dh_stub s;
	uint8_t *out;
	int size;

	(void)state;
	prepare();
	w = first_window();
	for (size_t i = 0; i < DH_ARRAY_SIZE(bad); i++)
		assert_int_equal(build(&w, &bad[i], 1), -EINVAL);
	bad[0] = (struct dh_stub_test){.kind = DH_STUB_XSTATE, .size = 8, .where = 1 << 20};
	assert_int_equal(build(&w, bad, 1), -ENOTSUP);
	dh_stub_reg_tests(&t.in.regs, tests);
	size = build(&w, tests, DH_STUB_REG_TESTS);
	assert_true(size > 0);
	for (int n = 0; n < size; n++) {
		out = malloc((size_t)n + 1);
		assert_non_null(out);
		assert_int_equal(dh_stub_build(&w, tests, DH_STUB_REG_TESTS, NULL, at(t.code),
					 at(t.data), out, (size_t)n, &s),
			-ENOSPC);
		free(out);
	}
	assert_int_equal(dh_stub_build(&w, tests, 1, NULL, at(t.code), at(t.data) + 8, t.code,
				 CODE_SIZE, &s),
		-EINVAL);
	assert_int_equal(dh_stub_build(&w, tests, 1, NULL, at(t.code),
				 at(t.code) + (UINT64_C(1) << 32), t.code, CODE_SIZE, &s),
		-ERANGE);
}

/* Code for registers that the machine at hand may lack is read back instead of run. */
static void wide_registers_are_encoded(void **state)
{
	static const struct dh_xstate_layout wide = {
		.offset = {[1] = 160, [2] = 576, [5] = 1088, [6] = 1152, [7] = 1664},
		.size = {[0] = 160, [1] = 256, [2] = 256, [5] = 64, [6] = 512, [7] = 1024},
	};
	static const struct {
		uint64_t offset;
		ZydisRegister reg;
		uint64_t at; /* in the stored register */
	} row[] = {
		{160 + 11 * 16 + 8, ZYDIS_REGISTER_XMM11, 8},
		{576 + 9 * 16 + 8, ZYDIS_REGISTER_YMM9, 24},
		{1152 + 3 * 32 + 16, ZYDIS_REGISTER_ZMM3, 48},
		{1152 + 13 * 32, ZYDIS_REGISTER_ZMM13, 32},
		{1664 + 2 * 64 + 8, ZYDIS_REGISTER_ZMM18, 8},
		{1664 + 15 * 64, ZYDIS_REGISTER_ZMM31, 0},
	};
	uint64_t data, loaded;
	struct dh_window w;
	struct dh_x86_insn x;
	size_t n;

	(void)state;
	prepare();
	w = first_window();
	for (size_t i = 0; i < DH_ARRAY_SIZE(row); i++) {
		struct dh_stub_test test = fp_test(row[i].offset, 8, 5);

		assert_true(dh_stub_build(&w, &test, 1, &wide, at(t.code), at(t.data), t.code,
				    CODE_SIZE, &t.stub) > 0);
		n = DH_STUB_ENTRY + 7; /* behind the first save */
		assert_int_equal(dh_x86_decode(t.code + n, 32, &x), 0);
		assert_int_equal(x.i.mnemonic, ZYDIS_MNEMONIC_VMOVUPS);
		assert_int_equal(x.op[x.i.operand_count_visible - 1].reg.value, row[i].reg);
		n += x.i.length;
		data = at(t.code) + n + (uint64_t)x.op[0].mem.disp.value;
		assert_int_equal(data % 64, 0);
		assert_int_equal(dh_x86_decode(t.code + n, 32, &x), 0);
		assert_int_equal(x.i.mnemonic, ZYDIS_MNEMONIC_MOV);
		loaded = at(t.code) + n + x.i.length + (uint64_t)x.op[1].mem.disp.value;
		assert_int_equal(loaded - data, row[i].at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_visit_at_every_site),
		cmocka_unit_test(tests_floating_point_and_vector_state),
		cmocka_unit_test(lost_memory_is_a_mismatch),
		cmocka_unit_test(wide_registers_are_encoded),
		cmocka_unit_test(memory_out_of_reach),
		cmocka_unit_test(addresses_lead_back),
		cmocka_unit_test(refuses_what_cannot_be_built),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
