/* Random numbers from the processor (isa/random.h): the instructions are replaced by breakpoints
 * when a file with some is mapped, and what they give is drawn and logged here. */
#include "record/recorder.h"

#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "isa/insn.h"
#include "isa/random.h"

static void log_trap(struct recorder *r, struct task *t, uint64_t addr)
{
	struct dh_ev_patch e = {.start = addr, .form = DH_EV_PATCH_TRAP};

	dh_ev_put_patch(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_PATCH);
}

void dh_random_mapped(struct recorder *r, struct task *t, const struct dh_ev_vma *v)
{
	const uint8_t trap = DH_RANDOM_TRAP;
	const uint64_t *offsets;
	int n;

	/* Code that may change is left alone, and so is what others would see changed. */
	if (!v->file || v->shared || !(v->prot & PROT_EXEC) || (v->prot & PROT_WRITE))
		return;
	n = dh_files_random(r, v->file, &offsets);
	for (int i = 0; i < n; i++) {
		uint64_t addr = v->start + (offsets[i] - v->offset);
		uint8_t first;

		if (offsets[i] < v->offset || addr >= v->end ||
			dh_tracee_read(&t->t, addr, &first, 1) < 0 ||
			dh_tracee_write(&t->t, addr, &trap, 1) < 0)
			continue;
		dh_map_set(&t->process->random, addr, first);
		log_trap(r, t, addr);
	}
}

bool dh_random_draw(struct recorder *r, struct task *t, struct dh_regs *regs)
{
	struct dh_ev_random e = {.entry_hash = dh_regs_hash(regs)};
	uint64_t at = dh_regs_pc(regs) - 1, first;
	uint8_t code[DH_INSN_MAX_LENGTH];
	ssize_t n;

	if (!dh_map_get(&t->process->random, at, &first))
		return false;
	n = dh_tracee_read_some(&t->t, at, code, sizeof(code));
	if (n <= 0 || code[0] != DH_RANDOM_TRAP ||
		getrandom(&e.value, sizeof(e.value), 0) != sizeof(e.value))
		return false;
	code[0] = e.first = (uint8_t)first;
	dh_regs_set_pc(regs, at);
	if (!dh_random_finish(regs, code, (size_t)n, e.value))
		return false;
	dh_tracee_set_regs(&t->t, regs);
	dh_ev_put_random(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_RANDOM);
	t->at_boundary = true;
	t->boundary = *regs;
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
	return true;
}
