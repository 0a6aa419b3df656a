/* New tasks, and parents that wait until a child of vfork has let go of their memory. */
#include "record/recorder.h"

#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>

#include "record/buffer.h"

static uint64_t clone_flags(struct task *t)
{
	uint64_t flags = 0;

	switch (t->nr) {
	case SYS_clone:
		return dh_regs_arg(&t->entry, 0);
	case SYS_clone3:
		dh_tracee_read(&t->t, dh_regs_arg(&t->entry, 0), &flags, sizeof(flags));
		return flags;
	case SYS_vfork:
		return CLONE_VM | CLONE_VFORK;
	default:
		return 0;
	}
}

bool dh_call_escapes(struct task *t)
{
	return (t->nr == SYS_clone || t->nr == SYS_clone3) && (clone_flags(t) & CLONE_UNTRACED);
}

static void log_clone(struct recorder *r, struct task *t, struct task *child, uint64_t flags)
{
	struct dh_ev_clone e = {.child = child->id,
		.child_tid = (uint32_t)child->t.tid,
		.child_pid = (uint32_t)child->process->pid,
		.flags = flags};

	dh_ev_put_clone(&r->payload, &e);
	dh_rec_log(r, t, DH_EV_CLONE);
}

void dh_call_vfork_over(struct recorder *r, struct task *child)
{
	struct task *parent = child->vfork_parent;

	if (!parent)
		return;
	child->vfork_parent = NULL;
	parent->vfork_child = NULL;
	dh_buffer_vfork_over(parent, child);
	if (parent->deferred) {
		parent->deferred = false;
		dh_rec_handle(r, parent);
	}
}

void dh_call_cloned(struct recorder *r, struct task *t)
{
	uint64_t flags = clone_flags(t), status;
	struct process *p = t->process;
	struct task *child;
	unsigned long tid;
	bool shares;

	if (dh_tracee_event(&t->t, &tid) < 0)
		return;
	shares = (flags & CLONE_VM) || p->has_shared;
	if (!(flags & CLONE_THREAD)) {
		p = dh_rec_process_new(r, (pid_t)tid);
		p->executed = true;
		p->elsewhere = t->process->elsewhere;
		p->has_shared = t->process->has_shared;
		dh_map_foreach (slot, &t->process->keys)
			dh_map_set(&p->keys, slot->key, slot->value);
		dh_map_foreach (slot, &t->process->random)
			dh_map_set(&p->random, slot->key, slot->value);
		p->brk = t->process->brk;
	}
	child = dh_rec_task_new(r, (pid_t)tid, p, shares ? t->group : dh_group_new());
	child->tsc_traps = t->tsc_traps;
	dh_rules_inherit(t, child);
	/* The child stores its id into memory that the parent sees, before its first stop. */
	if ((flags & CLONE_VM) && (flags & CLONE_CHILD_SETTID) &&
		!dh_map_get(&r->orphans, tid, NULL) && dh_tracee_wait(&child->t, &child->stop) == 0)
		dh_map_set(&r->orphans, tid, (uint64_t)(unsigned)child->stop.status);
	log_clone(r, t, child, flags);
	dh_checkpoint_cloned(r, t, child, flags);
	dh_gate_created(r, t, child, flags);
	t->entered = true; /* which that says too */
	dh_buffer_cloned(r, t, child, flags);
	if (flags & CLONE_VFORK) {
		t->vfork_child = child;
		child->vfork_parent = t;
		t->state = TASK_WAITING;
		dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
		dh_turn_release(r, t);
	} else {
		dh_rec_resume(r, t, DH_RESUME_SYSCALL, 0);
	}
	if (dh_map_get(&r->orphans, tid, &status)) {
		dh_map_del(&r->orphans, tid);
		child->stopped = true;
		child->stop = dh_stop_classify((int)status);
		if (dh_turn_take(r, child))
			dh_rec_handle(r, child);
	}
}
