#include "proc/frame.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "isa/regs.h"
#include "proc/tracee.h"

/* Behind the return address. */
static uint64_t context(uint64_t frame)
{
	return frame + sizeof(uint64_t) + offsetof(ucontext_t, uc_mcontext.gregs);
}

int dh_frame_get(struct dh_tracee *t, uint64_t frame, struct dh_regs *ret)
{
	gregset_t g;
	int r = dh_tracee_read(t, context(frame), g, sizeof(g));

	if (r < 0)
		return r;
	*ret = (struct dh_regs){0};
	dh_regs_set_pc(ret, (uint64_t)g[REG_RIP]);
	dh_regs_set_result(ret, g[REG_RAX]);
	dh_regs_set_flags(ret, (uint64_t)g[REG_EFL]);
	return 0;
}

int dh_frame_mask(const uint8_t *frame, size_t n, uint64_t *ret)
{
	size_t at = sizeof(uint64_t) + offsetof(ucontext_t, uc_sigmask);

	if (n < at + sizeof(*ret))
		return -ENODATA;
	memcpy(ret, frame + at, sizeof(*ret));
	return 0;
}

int dh_frame_set(struct dh_tracee *t, uint64_t frame, const struct dh_regs *regs)
{
	uint64_t pc = dh_regs_pc(regs), flags = dh_regs_flags(regs);
	int r = dh_tracee_write(t, context(frame) + REG_RIP * sizeof(greg_t), &pc, sizeof(pc));

	if (r < 0)
		return r;
	return dh_tracee_write(t, context(frame) + REG_EFL * sizeof(greg_t), &flags, sizeof(flags));
}
