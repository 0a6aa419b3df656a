/* Private to this folder: the recorder's side of the buffer inside the program (wire/buffer.h).
 *
 * A *space* is what the recorder knows of one address space: which system calls in it are patched,
 * how far its ring has been read.  Processes that share memory share the space.  All functions
 * accept tasks whose space has no buffer, and then do nothing. */
#pragma once
#include "proc/patch.h"
#include "record/recorder.h"

/* A program that is interrupted at more places than this is not patched any further. */
#define DH_BUFFER_FRAMES_MAX 4096u

struct space {
	int refs;
	bool off;      /* for good: descriptors are shared in a way that the table cannot follow */
	int paused;    /* children of vfork that must not use it */
	uint8_t *lent; /* to one that does: its parent's table of descriptors, or NULL */
	uint32_t lent_to;
	bool active;         /* something is patched */
	bool attached;       /* the memory of the notes is there */
	bool yielded;        /* area.yield is set */
	uint32_t alone;      /* what area.alone says */
	bool entered;        /* it is logged that the call without a record has begun */
	uint32_t emptied_by; /* the task that ran last, when nothing is left of what it did ... */
	uint64_t emptied_at; /* ... until it was resumed for the last time (t.resumed) */
	struct dh_patches patches;
	uint32_t next_index;
	uint64_t drained;        /* how far the ring has been read */
	uint64_t noted;          /* the same for the notes */
	bool allowed;            /* area.free is, or was, not 0 */
	bool own_clock;          /* what area.own_clock says */
	struct dh_map sites;     /* of code of no file, see struct site */
	struct dh_ev_vma *texts; /* code of files that is mapped, see sites.c */
	size_t n_texts, cap_texts;
	struct dh_map
		frames; /* where handlers interrupted the program: a patch must not be there */
};

/* space.c */
struct space *dh_space_of(const struct task *t); /* NULL: none */
/* For good. */
void dh_space_turn_off(struct task *t);
/* Only who shares the turn with nobody may wait without the tracer's knowledge. */
void dh_space_follow_company(struct recorder *r, struct task *t);
void dh_buffer_exec(struct recorder *r, struct task *t);
void dh_buffer_cloned(struct recorder *r, struct task *parent, struct task *child, uint64_t flags);
void dh_buffer_vfork_over(struct task *parent, const struct task *child);
void dh_buffer_release(struct process *p);
/* From now on every call of the task stops. */
void dh_buffer_leave_alone(struct task *t);
/* A group has become larger: its tasks, which are all stopped or in calls that have, must not wait
 * inside from now on. */
void dh_buffer_group_grew(struct recorder *r, struct group *g);
/* A file was mapped shared. */
void dh_buffer_shared(struct recorder *r, uint64_t dev, uint64_t ino);
/* Something is patched: from now on it is used. */
void dh_buffer_activate(struct recorder *r, struct task *t);

/* buffer.c */
/* Logs what the ring has.  Before any other event of the task. */
void dh_buffer_drain(struct recorder *r, struct task *t, enum dh_ev_until until);
/* With a gate: how many calls need not be asked about, and whether the clocks are the real ones. */
void dh_buffer_allow(struct task *t, uint32_t n, bool own_clock);
/* From now on none is asked about. */
void dh_buffer_gate_opened(struct recorder *r);
/* Whether the task is inside a call that the buffer makes, and which. */
bool dh_buffer_call_inside(struct task *t, struct dh_sys_call *ret);
/* Whether the ring has calls that are not logged yet. */
bool dh_buffer_has_more(struct task *t);
/* In front of any event of the group.  A task that waited in the kernel is logged without the
 * turn: what the one that has it did so far may be the reason. */
void dh_buffer_before_event(struct recorder *r, struct task *t);
/* At an entry: true when it was a stop of the buffer itself; the task is ready to go on. */
bool dh_buffer_flush(struct recorder *r, struct task *t, struct dh_regs *regs);
/* At the exit of a call that has been logged: learns from it; regs may change. */
void dh_buffer_exit(struct recorder *r, struct task *t, struct dh_regs *regs);
/* At the exit of a call that will be made again. */
void dh_buffer_restart(struct task *t, struct dh_regs *regs);
/* A descriptor may be another file from now on. */
void dh_buffer_forget_opened(struct task *t);
/* Makes the next call of the task stop, if it uses the buffer; false when it was asked already or
 * does not. */
bool dh_buffer_yield(struct task *t);

/* Whether calls are led into the buffer now. */
bool dh_buffer_is_used(struct recorder *r, const struct space *s);

/* sites.c: what is learnt of calls in the code of files */
/* A place behind a call: how often it was made, or DH_SITE_NEVER, is at `key` of `calls`. */
#define DH_SITE_NEVER UINT64_MAX
struct site {
	struct dh_map *calls;
	uint64_t key;
};
struct site dh_sites_find(struct recorder *r, struct space *s, uint64_t pc);
/* That could be patched. */
void dh_sites_learnt(struct recorder *r, struct space *s, const struct dh_patch *p);
/* A mapping is new, and logged: patches what is known of its file. */
void dh_sites_mapped(struct recorder *r, struct task *t, const struct dh_ev_vma *v);
void dh_sites_release(struct recorder *r);

/* buffer_patch.c */
/* Somebody stands in the middle, or will come back there from a handler. */
bool dh_buffer_is_occupied(struct recorder *r, struct task *t, const struct dh_patch *p);
void dh_buffer_log_patch(struct recorder *r, struct task *t, const struct dh_patch *p);
void dh_buffer_seen(struct recorder *r, struct task *t, struct dh_regs *regs);
/* A handler was entered in front of the instruction at call_end, and that is logged.  When a change
 * of the signal mask ends there (which no event describes), it is led into the buffer from now on:
 * a signal that it lets through then strikes at a place that the log knows. */
void dh_buffer_unblocked(struct recorder *r, struct task *t, uint64_t call_end);
/* Tells the buffer what kind of descriptor argument 0 of the task's call is. */
void dh_buffer_learn(struct recorder *r, struct task *t);

/* buffer_signal.c */
/* A task that stopped inside the buffer or a trampoline goes on to where the program's own code
 * begins again; *regs are those there.  1: right behind a call, which counts as a boundary; 0:
 * elsewhere, or was not inside at all; -ESRCH. */
int dh_buffer_leave(struct recorder *r, struct task *t, struct dh_regs *regs);
/* When the task was interrupted while it waited inside: what its call returned, else 0.  (That call
 * has done nothing, and dh_buffer_leave() leads to where it would be made.) */
int64_t dh_buffer_interruption(struct task *t, const struct dh_regs *regs);
/* A fault in the buffer's own code: true when it was one; the task is ready to go on. */
bool dh_buffer_bail(struct recorder *r, struct task *t, struct dh_regs *regs);
/* The frame of a handler that was just entered shows places in the program's own code. */
void dh_buffer_mend_frame(struct task *t, uint64_t frame);
/* What rt_sigprocmask with these registers makes of *mask.  Its result: 0 or -errno. */
int dh_buffer_new_mask(struct task *t, const struct dh_regs *regs, uint64_t *mask);
/* A patched rt_sigprocmask is made by hand, but for the mask itself, which was `old`: the task is
 * stopped in front of it.  regs become those behind it, and are set.  0 or -errno. */
int dh_buffer_sigprocmask(struct recorder *r, struct task *t, const struct dh_patch *p,
	struct dh_regs *regs, uint64_t old);
/* Whether pc is right behind a patched call. */
bool dh_buffer_is_behind(struct task *t, uint64_t pc);
/* A patched call at pc, or NULL. */
const struct dh_patch *dh_buffer_patch_at(struct task *t, uint64_t pc);

/* Access to struct dh_buffer_area in the process. */
int dh_area_read(struct task *t, uint64_t addr, void *p, size_t n);
int dh_area_write(struct task *t, uint64_t addr, const void *p, size_t n);
#define dh_area_get(t, member, p)                                                                  \
	dh_area_read(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, member), p, sizeof(*(p)))
#define dh_area_set(t, member, p)                                                                  \
	dh_area_write(t, DH_LANDING_AREA + offsetof(struct dh_buffer_area, member), p, sizeof(*(p)))
