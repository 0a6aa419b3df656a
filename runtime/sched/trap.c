/* Statements of programs that were not built for fuzzing: breakpoints at the instructions of
 * targets.
 *
 * A thread that runs into one is at a statement like any other: the memory that it will access is
 * worked out from its registers, and the scheduler decides when it goes on.  Then the instruction
 * is put back, stepped over and replaced again, which is safe since one thread runs at a time. */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "common/syscall.h"
#include "sched/core.h"
#include "sched/real.h"

#define PAGE      4096ul
#define BREAK     0xcc
#define TRAP_FLAG 0x100

static struct {
	uintptr_t at; /* of the instruction; 0: none */
	const struct dh_sched_target *target;
	uint8_t byte; /* what stood there */
} traps[DH_SCHED_TARGETS_MAX];
static uint32_t ntraps;

/* The breakpoint that this thread is stepping over, plus one. */
static __thread uint32_t stepping __attribute__((tls_model("initial-exec")));

static const int registers[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP,
	REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

static uint64_t value_of(const ucontext_t *uc, int8_t number)
{
	if (number < 0 || number >= (int)(sizeof(registers) / sizeof(registers[0])))
		return 0;
	return (uint64_t)uc->uc_mcontext.gregs[registers[number]];
}

static uint64_t address_of(const struct dh_sched_target *t, const ucontext_t *uc)
{
	return value_of(uc, t->base) + value_of(uc, t->index_register) * t->scale +
	       (uint64_t)t->disp;
}

static void put(uintptr_t at, uint8_t byte)
{
	*(volatile uint8_t *)at = byte;
}

static void hit(uint32_t i, ucontext_t *uc)
{
	const struct dh_sched_target *t = traps[i].target;

	if (dh_self && !dh_self->inside)
		dh_sched_at_statement(traps[i].at + t->trap,
			(const volatile void *)(uintptr_t)address_of(t, uc), t->size, t->access);
	put(traps[i].at, traps[i].byte);
	stepping = i + 1;
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)traps[i].at;
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	uintptr_t at = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP] - 1;
	int keep = errno;

	if (stepping) {
		put(traps[stepping - 1].at, BREAK);
		stepping = 0;
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	for (uint32_t i = 0; i < ntraps; i++) {
		if (traps[i].at != at)
			continue;
		hit(i, uc);
		errno = keep;
		return;
	}
	dh_end_crash(sig, info, context);
}

static bool writable(uintptr_t at)
{
	long r = rt_syscall3(
		SYS_mprotect, at & ~(PAGE - 1), PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);

	return r == 0;
}

static void set_trap(const struct dh_sched_target *t)
{
	uintptr_t at = (uintptr_t)t->pc - t->trap;

	for (uint32_t i = 0; i < ntraps; i++) {
		if (traps[i].at == at)
			return;
	}
	if (!writable(at))
		dh_end_give_up("no breakpoint can be set: the program's code may not be changed");
	traps[ntraps].at = at;
	traps[ntraps].target = t;
	traps[ntraps].byte = *(volatile uint8_t *)at;
	ntraps++;
	put(at, BREAK);
}

void dh_trap_start(void)
{
	struct sigaction action = {
		.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};

	ntraps = 0;
	for (uint32_t i = 0; i < dh_ctl->ask.ntargets && i < DH_SCHED_TARGETS_MAX; i++) {
		if (dh_ctl->target[i].trap && dh_ctl->target[i].pc)
			set_trap(&dh_ctl->target[i]);
	}
	if (ntraps)
		dh_real()->sigaction(SIGTRAP, &action, NULL);
}
