#include "native.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "isa/x86.h"

static const struct {
	int greg, word;
} map[] = {
	{REG_R8, DH_X86_R8},
	{REG_R9, DH_X86_R9},
	{REG_R10, DH_X86_R10},
	{REG_R11, DH_X86_R11},
	{REG_R12, DH_X86_R12},
	{REG_R13, DH_X86_R13},
	{REG_R14, DH_X86_R14},
	{REG_R15, DH_X86_R15},
	{REG_RDI, DH_X86_RDI},
	{REG_RSI, DH_X86_RSI},
	{REG_RBP, DH_X86_RBP},
	{REG_RBX, DH_X86_RBX},
	{REG_RDX, DH_X86_RDX},
	{REG_RAX, DH_X86_RAX},
	{REG_RCX, DH_X86_RCX},
	{REG_RSP, DH_X86_RSP},
	{REG_RIP, DH_X86_RIP},
	{REG_EFL, DH_X86_FLAGS},
};

/* The handler's view of the run in progress. */
static enum { IDLE, ENTERING, RUNNING } phase;
static const struct native_state *entry;
static struct native_result *result;
static native_on_trap trap_hook;
static void *trap_arg;
static gregset_t home;
static uint8_t home_fp[512];
static uint64_t seed = 1;

static void load(ucontext_t *uc, const struct native_state *s)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(map); i++)
		uc->uc_mcontext.gregs[map[i].greg] = (greg_t)s->regs.word[map[i].word];
	memcpy(uc->uc_mcontext.fpregs->_xmm, s->xmm, NATIVE_XMM);
}

static void save(const ucontext_t *uc, struct native_state *s)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(map); i++)
		s->regs.word[map[i].word] = (uint64_t)uc->uc_mcontext.gregs[map[i].greg];
	s->regs.word[DH_X86_FLAGS] &= ~(uint64_t)DH_X86_FLAG_RESUME;
	memcpy(s->xmm, uc->uc_mcontext.fpregs->_xmm, NATIVE_XMM);
}

static void finish(int sig, const siginfo_t *si, ucontext_t *uc)
{
	result->signal = sig;
	result->has_fault =
		(sig == SIGSEGV || sig == SIGBUS) && si->si_code > 0 && si->si_code != SI_KERNEL;
	result->fault = result->has_fault ? (uint64_t)(uintptr_t)si->si_addr : 0;
	memcpy(uc->uc_mcontext.gregs, home, sizeof(home));
	memcpy(uc->uc_mcontext.fpregs, home_fp, sizeof(home_fp) - 96);
	phase = IDLE;
}

static void handler(int sig, siginfo_t *si, void *context)
{
	ucontext_t *uc = context;

	if (phase == IDLE) {
		signal(sig, SIG_DFL);
		return;
	}
	if (phase == ENTERING) {
		memcpy(home, uc->uc_mcontext.gregs, sizeof(home));
		memcpy(home_fp, uc->uc_mcontext.fpregs, sizeof(home_fp));
		load(uc, entry);
		phase = RUNNING;
		return;
	}
	save(uc, &result->state);
	if (sig == SIGTRAP) {
		if (si->si_code != TRAP_TRACE)
			result->state.regs.word[DH_X86_RIP]--;
		if (trap_hook && trap_hook(&result->state, trap_arg)) {
			load(uc, &result->state);
			return;
		}
	}
	finish(sig, si, uc);
}

void native_init(void)
{
	static const int signals[] = {SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
	struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t stack = {.ss_size = 1 << 18};

	stack.ss_sp = mmap(
		NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) < 0)
		abort();
	for (size_t i = 0; i < DH_ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &sa, NULL);
}

void native_run(
	const struct native_state *in, native_on_trap on_trap, void *arg, struct native_result *ret)
{
	memset(ret, 0, sizeof(*ret));
	entry = in;
	result = ret;
	trap_hook = on_trap;
	trap_arg = arg;
	phase = ENTERING;
	__asm__ volatile("int3" ::: "memory");
}

uint8_t *native_map(size_t size, int prot)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	memset(p, prot & PROT_EXEC ? 0xcc : 0, size);
	if (mprotect(p, size, prot) < 0)
		abort();
	return p;
}

#define GUARD (UINT64_C(4) << 30)

static uint8_t *guarded;

uint8_t *native_map_guarded(size_t size)
{
	uint8_t *p = mmap(
		NULL, 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED || mprotect(p + GUARD, size, PROT_READ | PROT_WRITE) < 0)
		abort();
	guarded = p + GUARD;
	return guarded;
}

bool native_is_safe(uint64_t addr, uint64_t size)
{
	uint64_t low = (uint64_t)(uintptr_t)guarded - GUARD;
	uint64_t end = size > GUARD ? addr : addr + size; /* huge ones end in the guard */

	if (addr >= low && end <= low + 2 * GUARD)
		return true;
	/* The zero page, and what no program can map. */
	return (addr < 4096 && size < 4096) || (addr >= UINT64_C(1) << 47 && end >= addr);
}

void native_seed(uint64_t s)
{
	seed = s;
}

uint64_t native_random(void)
{
	uint64_t z = (seed += 0x9e3779b97f4a7c15u);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t random_value(const uint8_t *p, size_t n)
{
	uint64_t r = native_random();

	switch (r % 8) {
	case 0:
		return native_random();
	case 1:
		return (r >> 8) % 64;
	case 2:
		return UINT64_MAX - (r >> 8) % 64;
	case 3:
		return (uint64_t)(int64_t)(int32_t)(r >> 16);
	default:
		return (uint64_t)(uintptr_t)p + (r >> 8) % n;
	}
}

void native_random_state(struct native_state *s, const uint8_t *p, size_t n)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < DH_ARRAY_SIZE(map); i++)
		s->regs.word[map[i].word] = random_value(p, n);
	s->regs.word[DH_X86_RCX] = native_random() % 3 ? native_random() % 40 : native_random();
	s->regs.word[DH_X86_RSP] =
		(uint64_t)(uintptr_t)p + n / 4 + native_random() % (n / 2) / 8 * 8;
	/* Carry, parity, adjust, zero, sign, overflow, direction; bit 1 and interrupts are set. */
	s->regs.word[DH_X86_FLAGS] = (native_random() & 0xcd5) | 0x202;
	for (size_t i = 0; i < NATIVE_XMM; i++)
		s->xmm[i] = (uint8_t)native_random();
}

void native_random_insn(uint8_t bytes[15])
{
	static const uint8_t prefix[] = {0x66, 0x67, 0xf2, 0xf3, 0xf0, 0x64, 0x65, 0x2e, 0x36};
	static const uint8_t escape[][2] = {{0x0f, 0}, {0x0f, 0x38}, {0x0f, 0x3a}};
	size_t n = 0;
	uint64_t r = native_random();

	for (size_t i = 0; i < 15; i++)
		bytes[i] = (uint8_t)native_random();
	if (r % 4 == 0)
		bytes[n++] = prefix[(r >> 8) % sizeof(prefix)];
	if ((r >> 16) % 2 == 0)
		bytes[n++] = 0x40 | ((r >> 18) & 15);
	if ((r >> 24) % 3 == 0) {
		const uint8_t *e = escape[(r >> 32) % 3];

		bytes[n++] = e[0];
		if (e[1])
			bytes[n++] = e[1];
	}
	/* Small displacements and immediates keep addresses within reach. */
	if ((r >> 40) % 2 == 0)
		memset(bytes + n + 4, (r >> 41) % 2 ? 0xff : 0, 3);
}
