#include "../unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "isa/access.h"
#include "isa/insn.h"
#include "isa/x86.h"
#include "isa/xstate.h"
#include "native.h"

static struct dh_mem_access got[DH_INSN_MAX_MEM];

static int accesses(const char *bytes, size_t n, const struct dh_regs *regs)
{
	struct dh_insn insn;

	assert_int_equal(dh_insn_decode((const uint8_t *)bytes, n, 0x1000, &insn), 0);
	return dh_mem_accesses(&insn, regs, got);
}

#define ACCESSES(literal, regs) accesses(literal, sizeof(literal) - 1, regs)

static void expect(int i, uint64_t addr, uint64_t size, const char *how)
{
	assert_int_equal(got[i].addr, addr);
	assert_int_equal(got[i].size, size);
	assert_int_equal(got[i].read, strchr(how, 'r') != NULL);
	assert_int_equal(got[i].write, strchr(how, 'w') != NULL);
	assert_int_equal(got[i].partial, strchr(how, 'p') != NULL);
}

static void stack_operations(void **state)
{
	struct dh_regs r = {.word = {[DH_X86_RSP] = 0x8000, [DH_X86_RBP] = 0x9000}};

	(void)state;
	assert_int_equal(ACCESSES("\x50", &r), 1); /* push */
	expect(0, 0x7ff8, 8, "w");
	assert_int_equal(ACCESSES("\x66\x50", &r), 1);
	expect(0, 0x7ffe, 2, "w");
	assert_int_equal(ACCESSES("\x58", &r), 1); /* pop */
	expect(0, 0x8000, 8, "r");
	assert_int_equal(ACCESSES("\x8f\x44\x24\x08", &r), 2); /* pop [rsp+8] */
	expect(0, 0x8010, 8, "w");
	expect(1, 0x8000, 8, "r");
	assert_int_equal(ACCESSES("\xff\x74\x24\x08", &r), 2); /* push [rsp+8] */
	expect(0, 0x8008, 8, "r");
	expect(1, 0x7ff8, 8, "w");
	assert_int_equal(ACCESSES("\xe8\x00\x00\x00\x00", &r), 1); /* call */
	expect(0, 0x7ff8, 8, "w");
	assert_int_equal(ACCESSES("\xc3", &r), 1);
	expect(0, 0x8000, 8, "r");
	assert_int_equal(ACCESSES("\xc9", &r), 1); /* leave */
	expect(0, 0x9000, 8, "r");
	assert_int_equal(ACCESSES("\xc8\x10\x00\x00", &r), 1); /* enter */
	expect(0, 0x7ff8, 8, "w");
	assert_int_equal(ACCESSES("\xc8\x10\x00\x01", &r), -ENOTSUP);
}

static void string_operations(void **state)
{
	struct dh_regs r = {
		.word = {[DH_X86_RSI] = 0x1000, [DH_X86_RDI] = 0x2000, [DH_X86_RCX] = 3}};

	(void)state;
	assert_int_equal(ACCESSES("\xf3\x48\xa5", &r), 2); /* rep movsq */
	expect(0, 0x2000, 24, "w");
	expect(1, 0x1000, 24, "r");
	assert_int_equal(ACCESSES("\x48\xa5", &r), 2);
	expect(0, 0x2000, 8, "w");
	assert_int_equal(ACCESSES("\xf2\xae", &r), 1); /* repne scasb */
	expect(0, 0x2000, 3, "rp");
	r.word[DH_X86_FLAGS] = DH_X86_FLAG_DOWN;
	assert_int_equal(ACCESSES("\xf3\x48\xa5", &r), 2);
	expect(0, 0x2000 - 16, 24, "w");
	r.word[DH_X86_RCX] = 0;
	assert_int_equal(ACCESSES("\xf3\x48\xa5", &r), 0);
	r.word[DH_X86_RCX] = UINT64_MAX;
	assert_int_equal(ACCESSES("\xf3\x48\xa5", &r), 2);
	assert_int_equal(got[0].size, UINT64_MAX);
}

static void other_addresses(void **state)
{
	struct dh_regs r = {.word = {[DH_X86_RAX] = 0x123,
				    [DH_X86_RBX] = 0x4000,
				    [DH_X86_RCX] = UINT64_MAX,
				    [DH_X86_FS_BASE] = 0x700000}};

	(void)state;
	assert_int_equal(ACCESSES("\xd7", &r), 1); /* xlat */
	expect(0, 0x4023, 1, "r");
	assert_int_equal(ACCESSES("\x48\x0f\xab\x0b", &r), 1); /* bts [rbx], rcx: bit -1 */
	expect(0, 0x3ff8, 8, "rw");
	assert_int_equal(ACCESSES("\x64\x8b\x04\x25\x28\x00\x00\x00", &r), 1);
	expect(0, 0x700028, 4, "r");
	assert_int_equal(ACCESSES("\x67\x8b\x01", &r), 1); /* mov eax, [ecx] */
	expect(0, UINT32_MAX, 4, "r");
	assert_int_equal(ACCESSES("\x0f\xae\x03", &r), 1); /* fxsave */
	expect(0, 0x4000, 512, "w");
	assert_int_equal(ACCESSES("\xc4\xe2\x79\x90\x0c\x10", &r), -ENOTSUP);
	assert_int_equal(ACCESSES("\x06", &r), -ENOTSUP);
	assert_int_equal(ACCESSES("\x90", &r), 0);
}

static void saved_state_has_the_size_of_its_mask(void **state)
{
	struct dh_regs r = {.word = {[DH_X86_RAX] = 3, [DH_X86_RBX] = 0x4000}};

	(void)state;
	assert_int_equal(ACCESSES("\x0f\xae\x23", &r), 1); /* xsave, x87 and SSE only */
	expect(0, 0x4000, 576, "rwp");
	r.word[DH_X86_RAX] = r.word[DH_X86_RDX] = UINT32_MAX;
	assert_int_equal(ACCESSES("\x0f\xae\x23", &r), 1);
	expect(0, 0x4000, dh_xstate_host_size(UINT64_MAX, false), "rwp");
}

/* Instructions that a test may run and whose effect on memory is theirs alone. */
static bool may_run(const struct dh_insn *insn)
{
	return !(insn->flags &
		 (DH_INSN_UNKNOWN | DH_INSN_SYSCALL | DH_INSN_SYSCALL32 | DH_INSN_TRAP |
			 DH_INSN_SEGMENT | DH_INSN_TRANSACTION | DH_INSN_SETS_TRAP | DH_INSN_FAR |
			 DH_INSN_PRIVILEGED | DH_INSN_INVALID | DH_INSN_BRANCH | DH_INSN_CLOCK));
}

static bool covered(const struct dh_mem_access *a, int n, uint64_t addr, bool write)
{
	for (int i = 0; i < n; i++) {
		if (addr - a[i].addr < a[i].size && (!write || a[i].write))
			return true;
	}
	return false;
}

struct arena {
	uint8_t *code, *data;
	size_t size;
	uint8_t before[2 * 4096];
	unsigned ran, faulted, silent;
};

/* With all data unreachable the first access faults, at an address that must be known. */
static void check_fault(
	struct arena *t, struct native_state *s, const struct dh_mem_access *a, int n)
{
	struct native_result r;

	mprotect(t->data, t->size, PROT_NONE);
	native_run(s, NULL, NULL, &r);
	mprotect(t->data, t->size, PROT_READ | PROT_WRITE);
	if (r.signal == SIGSEGV && r.has_fault) {
		assert_true(covered(a, n, r.fault, false));
		t->faulted++;
	} else if (r.signal == SIGTRAP) {
		for (int i = 0; i < n; i++)
			assert_true(a[i].partial);
		t->silent++;
	}
}

static void check_writes(
	struct arena *t, struct native_state *s, const struct dh_mem_access *a, int n)
{
	struct native_result r;

	memcpy(t->before, t->data, t->size);
	native_run(s, NULL, NULL, &r);
	for (size_t i = 0; i < t->size; i++) {
		if (t->data[i] != t->before[i])
			assert_true(covered(a, n, (uint64_t)(uintptr_t)(t->data + i), true));
	}
	memcpy(t->data, t->before, t->size);
	t->ran++;
}

static void try_one(struct arena *t)
{
	struct dh_mem_access a[DH_INSN_MAX_MEM];
	struct native_state s;
	struct dh_insn insn;
	uint64_t pc = (uint64_t)(uintptr_t)t->code;
	int n;

	memset(t->code, 0xcc, 32);
	native_random_insn(t->code);
	native_random_state(&s, t->data, t->size);
	dh_regs_set_pc(&s.regs, pc);
	if (dh_insn_decode(t->code, 15, pc, &insn) < 0 || !may_run(&insn))
		return;
	memset(t->code + insn.length, 0xcc, 32);
	/* The bases of the running thread: what fs and gs add natively. */
	s.regs.word[DH_X86_FS_BASE] = (uint64_t)(uintptr_t)__builtin_thread_pointer();
	n = dh_mem_accesses(&insn, &s.regs, a);
	if (n < 0 || (insn.n_mem && insn.mem[0].segment >= 0))
		return;
	for (int i = 0; i < n; i++) {
		if (!native_is_safe(a[i].addr, a[i].size))
			return;
	}
	check_fault(t, &s, a, n);
	check_writes(t, &s, a, n);
}

static void agrees_with_the_processor(void **state)
{
	static struct arena t = {.size = sizeof(t.before)};

	(void)state;
	native_init();
	t.code = native_map(4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	t.data = native_map_guarded(t.size);
	for (int i = 0; i < 150000; i++)
		try_one(&t);
	print_message("%u instructions ran, %u faulted as told, %u touched nothing\n", t.ran,
		t.faulted, t.silent);
	assert_true(t.ran > 20000 && t.faulted > 5000 && t.silent > 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stack_operations),
		cmocka_unit_test(string_operations),
		cmocka_unit_test(other_addresses),
		cmocka_unit_test(saved_state_has_the_size_of_its_mask),
		cmocka_unit_test(agrees_with_the_processor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
