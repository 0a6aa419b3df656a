#include "proc/hwbreak.h"

#include <errno.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "proc/tracee.h"

#define DR(i) (offsetof(struct user, u_debugreg) + (size_t)(i) * sizeof(long))

static int poke(struct dh_tracee *t, int reg, uint64_t v)
{
	return ptrace(PTRACE_POKEUSER, t->tid, DR(reg), v) < 0 ? -errno : 0;
}

static int peek(struct dh_tracee *t, int reg, uint64_t *ret)
{
	long v;

	errno = 0;
	v = ptrace(PTRACE_PEEKUSER, t->tid, DR(reg), 0);
	if (errno)
		return -errno;
	*ret = (uint64_t)v;
	return 0;
}

static uint64_t control_bits(enum dh_hwbreak_kind kind, unsigned len)
{
	static const uint64_t type[] = {
		[DH_HWBREAK_EXEC] = 0, [DH_HWBREAK_WRITE] = 1, [DH_HWBREAK_ACCESS] = 3};
	uint64_t size = len == 8 ? 2 : len - 1;

	return type[kind] | (kind == DH_HWBREAK_EXEC ? 0 : size << 2);
}

int dh_hwbreak_set(
	struct dh_tracee *t, int slot, enum dh_hwbreak_kind kind, uint64_t addr, unsigned len)
{
	uint64_t control = 0;
	int r = dh_hwbreak_clear(t, slot);

	if (r == 0)
		r = peek(t, 7, &control);
	if (r == 0)
		r = poke(t, slot, addr);
	if (r < 0)
		return r;
	control |= control_bits(kind, len) << (16 + 4 * slot) | 1ull << (2 * slot);
	return poke(t, 7, control);
}

int dh_hwbreak_clear(struct dh_tracee *t, int slot)
{
	uint64_t control = 0;
	int r = peek(t, 7, &control);

	if (r < 0)
		return r;
	control &= ~(15ull << (16 + 4 * slot) | 3ull << (2 * slot));
	return poke(t, 7, control);
}

int dh_hwbreak_hits(struct dh_tracee *t, unsigned *ret)
{
	uint64_t status = 0;
	int r = peek(t, 6, &status);

	if (r < 0)
		return r;
	*ret = (unsigned)(status & 15);
	return poke(t, 6, 0);
}
