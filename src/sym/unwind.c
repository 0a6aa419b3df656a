#include "sym/unwind.h"

#include "base/arena.h"
#include "sym/session.h"

/* The library wants a thread and never asks about it. */
#define THREAD 1

struct unwinding {
	const uint64_t *regs;
	dh_unwind_read read;
	void *arg;
	struct dh_unwind_frame *frames;
	size_t n, max;
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return THREAD;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	*thread_arg = arg;
	return tid == THREAD;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *ret, void *arg)
{
	const struct dh_sym *s = arg;
	const struct unwinding *u = s->unwind;

	return u->read(u->arg, addr, ret, sizeof(*ret)) == 0;
}

static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct dh_sym *s = arg;
	const struct unwinding *u = s->unwind;
	Dwarf_Word regs[DH_UNWIND_REGS];

	for (int i = 0; i < DH_UNWIND_REGS; i++)
		regs[i] = u->regs[i];
	return dwfl_thread_state_registers(thread, 0, DH_UNWIND_REGS, regs);
}

static const Dwfl_Thread_Callbacks callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_registers,
};

static int add_frame(Dwfl_Frame *frame, void *arg)
{
	struct unwinding *u = arg;
	Dwarf_Addr pc;
	bool activation;

	if (u->n == u->max || !dwfl_frame_pc(frame, &pc, &activation) || !pc)
		return DWARF_CB_ABORT;
	u->frames[u->n++] = (struct dh_unwind_frame){.pc = pc, .is_return = !activation};
	return DWARF_CB_OK;
}

/* The library finds out the architecture from a module, so one must be there. */
static bool attach(struct dh_sym *s)
{
	if (!s->attached && s->dwfl)
		s->attached = dwfl_attach_state(s->dwfl, NULL, THREAD, &callbacks, s);
	return s->attached;
}

size_t dh_sym_unwind(struct dh_sym *s, const uint64_t regs[DH_UNWIND_REGS], dh_unwind_read read,
	void *arg, struct dh_unwind_frame *ret, size_t max)
{
	struct unwinding u = {.regs = regs, .read = read, .arg = arg, .frames = ret, .max = max};

	if (!max)
		return 0;
	if (attach(s)) {
		s->unwind = &u;
		dwfl_getthread_frames(s->dwfl, THREAD, add_frame, &u);
		s->unwind = NULL;
	}
	if (!u.n)
		ret[u.n++] = (struct dh_unwind_frame){.pc = regs[DH_UNWIND_REGS - 1]};
	return u.n;
}

struct dh_stack dh_sym_stack(
	struct dh_sym *s, const struct dh_unwind_frame *frames, size_t n, struct dh_arena *arena)
{
	struct dh_stack stack = {0};

	for (size_t i = 0; i < n; i++)
		stack.n += dh_sym_frames(s, frames[i].pc - frames[i].is_return).n;
	stack.frames = dh_arena_alloc(arena, stack.n * sizeof(*stack.frames));
	stack.n = 0;
	for (size_t i = 0; i < n; i++) {
		struct dh_stack part = dh_sym_frames(s, frames[i].pc - frames[i].is_return);

		for (size_t k = 0; k < part.n; k++)
			stack.frames[stack.n++] = part.frames[k];
	}
	return stack;
}
