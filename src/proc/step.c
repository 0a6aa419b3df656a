#include "proc/step.h"

#include "isa/insn.h"
#include "proc/tracee.h"

#define TRAP_IN_SECOND_BYTE 1u

struct dh_step dh_step_prepare(struct dh_tracee *t)
{
	uint8_t code[DH_INSN_MAX_LENGTH];
	struct dh_step s = {0};
	struct dh_insn insn;
	struct dh_regs regs;
	ssize_t n;

	if (dh_tracee_get_regs(t, &regs) < 0)
		return s;
	n = dh_tracee_read_some(t, dh_regs_pc(&regs), code, sizeof(code));
	if (n > 0 && dh_insn_decode(code, (size_t)n, dh_regs_pc(&regs), &insn) == 0) {
		s.insn = insn.flags;
		s.next = insn.pc + insn.length;
	}
	s.own = dh_regs_trap(&regs);
	return s;
}

static int clean_stack(struct dh_tracee *t, const struct dh_regs *regs)
{
	uint64_t at = dh_regs_sp(regs) + 1;
	uint8_t byte;
	int r = dh_tracee_read(t, at, &byte, 1);

	if (r < 0 || !(byte & TRAP_IN_SECOND_BYTE))
		return r;
	byte &= (uint8_t)~TRAP_IN_SECOND_BYTE;
	return dh_tracee_write(t, at, &byte, 1);
}

int dh_step_clean(const struct dh_step *s, struct dh_tracee *t)
{
	struct dh_regs regs;
	int r;

	if (s->own || !(s->insn & (DH_INSN_SYSCALL | DH_INSN_SHOWS_TRAP)))
		return 0;
	r = dh_tracee_get_regs(t, &regs);
	if (r < 0)
		return r;
	if (s->insn & DH_INSN_SHOWS_TRAP)
		return clean_stack(t, &regs);
	if (dh_regs_pc(&regs) != s->next)
		return 0; /* returned from a signal handler, with all registers as saved there */
	dh_regs_clear_saved_trap(&regs);
	return dh_tracee_set_regs(t, &regs);
}
