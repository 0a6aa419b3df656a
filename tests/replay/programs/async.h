/* Signals at instructions that nobody chose.
 *
 * A timer fires after a random delay, 200 times; the handler says where it found the program: the
 * instruction pointer, a hash of the general registers and flags, one of the vector and x87 state,
 * and a counter of the program's own.  Only a replay that delivers each signal at the very same
 * instruction, with the very same state, prints the same lines. */
#pragma once
#include "t.h"

#ifndef ASYNC_WANTED
#define ASYNC_WANTED 200
#endif

static volatile sig_atomic_t async_hits;
/* What the program wants to see in the handler; several programs leave it NULL. */
static const volatile uint64_t *volatile async_counter;

static inline uint64_t async_gregs(const ucontext_t *uc)
{
	uint64_t r[18];

	/* REG_R8 .. REG_RIP are the sixteen registers and rip; the flags only as far as a program
	 * can set them in passing (carry, parity, adjust, zero, sign, direction, overflow). */
	for (int i = 0; i < 17; i++)
		r[i] = (uint64_t)uc->uc_mcontext.gregs[i];
	r[17] = (uint64_t)uc->uc_mcontext.gregs[REG_EFL] & 0xcd5;
	return t_hash(r, sizeof(r));
}

/* The frame holds an xsave area in standard format; a component that is in its initial state is
 * hashed as zeros, because whether the processor writes it then is the processor's affair. */
static inline uint64_t async_fpregs(const ucontext_t *uc)
{
	const struct _libc_fpstate *fp = uc->uc_mcontext.fpregs;
	const uint8_t *raw = (const uint8_t *)fp;
	uint64_t in_use, h = 0;

	memcpy(&in_use, raw + 512, sizeof(in_use));
	if (in_use & 1)
		for (int i = 0; i < 8; i++)
			h = h * 31 + t_hash(&fp->_st[i], 10);
	if (in_use & 2)
		h = h * 31 + t_hash(fp->_xmm, sizeof(fp->_xmm));
	if (in_use & 4)
		h = h * 31 + t_hash(raw + 576, 256);
	return h;
}

static inline void async_arm(void)
{
	struct itimerval it = {{0, 0}, {0, (long)t_rand_in(60, 1400)}};

	TRY(setitimer(ITIMER_REAL, &it, NULL));
}

static inline void async_say(const ucontext_t *uc)
{
	say("%d rip %llx regs %016lx vec %016lx count %lu\n", async_hits,
		uc->uc_mcontext.gregs[REG_RIP], async_gregs(uc), async_fpregs(uc),
		async_counter ? *async_counter : 0);
}

static inline void async_handler(int sig, siginfo_t *si, void *ctx)
{
	(void)sig;
	(void)si;
	async_hits++;
	async_say(ctx);
	if (async_hits < ASYNC_WANTED)
		async_arm();
}

static inline void async_start(void)
{
	t_on_info(SIGALRM, async_handler, SA_RESTART);
	async_arm();
}

static inline bool async_more(void)
{
	return async_hits < ASYNC_WANTED;
}
