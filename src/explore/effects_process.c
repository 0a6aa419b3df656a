/* Effects on processes and on what the whole system shares: ends and waits, signals, semaphores. */
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "explore/builder.h"
#include "explore/items.h"
#include "sysmodel/effects.h"

static uint32_t process_of_pid(struct builder *b, int64_t pid)
{
	uint64_t process;

	return pid > 0 && dh_map_get(&b->pids, (uint64_t)pid, &process) ? (uint32_t)process : NONE;
}

static uint32_t ppid_object(struct builder *b, uint32_t process)
{
	return dh_global_object(b, DH_SYS_PART_PPID, b->h->processes[process].pid, DH_RACE_PROCESS,
		"a process", "parent");
}

static bool waits_for_anybody(const struct dh_ev_call *c, bool blocking)
{
	if (c->nr == SYS_wait4)
		return (int32_t)c->arg[0] == -1 && !(blocking && (c->arg[2] & WNOHANG));
	return c->nr == SYS_waitid && c->arg[0] == P_ALL && !(blocking && (c->arg[3] & WNOHANG));
}

static void known_ends(struct builder *b, struct process_state *p)
{
	for (size_t i = 0; i < p->maybe.n; i++)
		dh_build_after(b, p->maybe.v[i]);
	p->maybe.n = 0;
}

/* How many children have ended, as their parent sees it: an order that is kept, and no race by
 * itself.  What comes of another one is seen in the races of waits and signals. */
static void touch_ends(struct builder *b, uint32_t parent, enum dh_hist_op op)
{
	struct process_state *p = &b->process_states[parent];

	if (p->ends == NONE) {
		p->ends = dh_object_new(b, DH_RACE_WAIT, "ends of children", "how many");
		b->h->objects[p->ends].commutes = b->h->objects[p->ends].order_only = true;
	}
	dh_access(b, p->ends, op);
}

static bool only_looks(const struct dh_ev_call *c)
{
	return c->arg[c->nr == SYS_waitid ? 3 : 2] & WNOHANG;
}

/* Who only looks whether a child has ended finds what the moment has.  A look that found nothing
 * although somebody had ended was made before that, and noted later. */
static void on_look(struct builder *b, uint32_t child)
{
	uint32_t process = b->h->tasks[b->task].process;

	if (child != NONE)
		b->seen = b->h->processes[child].end;
	else if (b->process_states[process].n_ended)
		return;
	touch_ends(b, process, DH_HIST_LOAD);
}

/* The end of a child happens before the wait that returns it.  But who waits for anybody, and goes
 * on waiting at once, has met that child by chance while it waits for another one (a shell in the
 * foreground): what it does later does not depend on it, unless no child is left. */
static void on_wait(struct builder *b)
{
	int64_t pid = b->ev->nr == SYS_waitid ? (int64_t)b->ev->value : b->ev->result;
	uint32_t child = b->ev->result < 0 ? NONE : process_of_pid(b, pid);
	struct process_state *p = &b->process_states[b->h->tasks[b->task].process];

	if (b->ev->result == -ECHILD)
		known_ends(b, p);
	if (only_looks(b->ev) && b->ev->result >= 0)
		on_look(b, child);
	if (child == NONE)
		return;
	if (p->n_children)
		p->n_children--;
	if (p->n_ended)
		p->n_ended--;
	if (p->n_children && waits_for_anybody(b->ev, false) && b->next &&
		waits_for_anybody(b->next, true)) {
		dh_vec_add(&p->maybe, b->h->processes[child].end);
	} else {
		dh_build_after(b, b->h->processes[child].end);
		dh_proc_exists(b, child, DH_HIST_STORE);
	}
	if (!p->n_children)
		known_ends(b, p);
	dh_list_store(b, "/proc");
}

/* kill and its kin: who is meant. */
static uint32_t target_of(struct builder *b)
{
	return process_of_pid(b, (int32_t)b->ev->arg[0]);
}

static void on_kill(struct builder *b)
{
	int sig = (int)b->ev->arg[b->ev->nr == SYS_tgkill ? 2 : 1];
	uint32_t target = target_of(b);

	if (target == NONE)
		return;
	DH_GROW(b->sent, b->n_sent, b->cap_sent);
	b->sent[b->n_sent++] = (struct sent_signal){b->now, target, sig};
}

static void on_queue(struct builder *b)
{
	const struct dh_ev_call *ev = b->ev;
	struct open_file *f = dh_file_of(b, dh_ev_call_ref(ev, DH_REF_FD));
	uint64_t server;

	if (!f)
		return;
	switch (ev->nr) {
	case SYS_listen:
		dh_access(b, dh_inode_object(b, f->inode, INODE_QUEUE), DH_HIST_STORE);
		break;
	case SYS_connect:
		if (dh_map_get(&b->addresses, dh_hash_text(ev->text), &server))
			dh_access(
				b, dh_inode_object(b, (uint32_t)server, INODE_QUEUE), DH_HIST_LOAD);
		break;
	default: /* accept: two who accept take connections from each other */
		if (ev->result >= 0)
			dh_access(b, dh_inode_object(b, f->inode, INODE_HEAD), DH_HIST_STORE);
		break;
	}
}

static struct vec *wakes_of(struct builder *b, uint64_t key)
{
	struct vec *v = dh_map_getp(&b->wakes, key);

	if (!v) {
		v = dh_arena_alloc(&b->h->arena, sizeof(*v));
		dh_map_setp(&b->wakes, key, v);
	}
	return v;
}

static void on_futex(struct builder *b)
{
	int op = (int)b->ev->arg[1], command = op & FUTEX_CMD_MASK;
	uint64_t key = b->ev->arg[0] * 2;
	struct vec *wakes;

	if (op & FUTEX_PRIVATE_FLAG)
		return; /* threads of one process are ordered anyway */
	wakes = wakes_of(b, key);
	if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) {
		dh_vec_add(wakes, b->now);
	} else if ((command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) && b->ev->result == 0) {
		for (size_t i = 0; i < wakes->n; i++)
			dh_build_after(b, wakes->v[i]);
		wakes->n = 0;
	}
}

static void on_global(struct builder *b, int part, enum dh_hist_op op)
{
	static const char *const names[DH_SYS_PARTS] = {
		[DH_SYS_PART_HOSTNAME] = "the host's name",
		[DH_SYS_PART_MOUNTS] = "the mounts",
		[DH_SYS_PART_TIME] = "the clock",
		[DH_SYS_PART_SHM] = "a shared memory segment",
		[DH_SYS_PART_SEM] = "a semaphore set",
		[DH_SYS_PART_MSG] = "a message queue",
		[DH_SYS_PART_GROUP] = "a process group",
	};
	bool by_id = part >= DH_SYS_PART_SHM || part == DH_SYS_PART_GROUP;
	uint64_t id = by_id ? b->ev->arg[0] : 0;
	struct vec *last;

	if (part == DH_SYS_PART_GROUP && id == 0)
		id = dh_build_process(b)->pid;
	dh_access(b, dh_global_object(b, (unsigned)part, id, DH_RACE_GLOBAL, names[part], "state"),
		op);
	if (part != DH_SYS_PART_SEM && part != DH_SYS_PART_MSG)
		return;
	/* Semaphores and messages order whoever uses them. */
	last = wakes_of(b, id * 64 + (uint64_t)part * 2 + 1);
	for (size_t i = 0; i < last->n; i++)
		dh_build_after(b, last->v[i]);
	last->n = 0;
	dh_vec_add(last, b->now);
}

void dh_effect_on_process(struct builder *b, enum dh_hist_op op, int part)
{
	switch ((enum dh_sys_part)part) {
	case DH_SYS_PART_CHILD:
		on_wait(b);
		break;
	case DH_SYS_PART_PROC:
		if (op == DH_HIST_LOAD) {
			dh_proc_exists(b, target_of(b), op);
			if (b->ev->nr != SYS_pidfd_open) /* whom a signal meets */
				dh_proc_shows(b, target_of(b), op);
		} else {
			dh_proc_shows(b, b->h->tasks[b->task].process, op);
		}
		break;
	case DH_SYS_PART_PPID:
		dh_access(b, ppid_object(b, b->h->tasks[b->task].process), op);
		break;
	case DH_SYS_PART_SIGNAL:
		on_kill(b);
		break;
	case DH_SYS_PART_QUEUE:
		on_queue(b);
		break;
	case DH_SYS_PART_FUTEX:
		on_futex(b);
		break;
	case DH_SYS_PART_ACTION:
		break;
	default:
		on_global(b, part, op);
		break;
	}
}

/* The call that sent the signal, NONE when it came from outside. */
static uint32_t sender_of(struct builder *b, uint32_t process, int sig)
{
	const struct vec *exits = &b->process_states[process].child_exits;

	for (size_t i = 0; i < b->n_sent; i++) {
		uint32_t call = b->sent[i].call;

		if (b->sent[i].process != process || b->sent[i].sig != sig)
			continue;
		b->sent[i] = b->sent[--b->n_sent];
		return call;
	}
	return sig == SIGCHLD && exits->n ? exits->v[exits->n - 1] : NONE;
}

static void add_signal(struct builder *b, uint32_t task, struct dh_hist_signal s)
{
	struct dh_history *h = b->h;
	uint32_t sender = sender_of(b, h->tasks[task].process, s.sig);

	if (sender == NONE)
		return;
	dh_vec_add(&b->task_states[task].after, sender);
	DH_GROW(h->signals, h->n_signals, b->cap_signals);
	s.sender = sender;
	s.task = task;
	s.index = h->order.n_tasks > task ? h->order.tasks[task].n : 0;
	h->signals[h->n_signals++] = s;
}

void dh_effects_of_signal(struct builder *b, uint32_t task, const struct item *it)
{
	add_signal(b, task,
		(struct dh_hist_signal){
			.sig = (int)it->other, .seq = it->seq, .blocked = it->blocked});
}

static void end_process(struct builder *b, uint32_t process)
{
	struct dh_history *h = b->h;
	uint32_t parent = h->processes[process].parent;

	h->processes[process].end = b->now;
	dh_proc_exists(b, process, DH_HIST_STORE);
	dh_proc_shows(b, process, DH_HIST_STORE);
	for (uint32_t i = 0; i < h->n_processes; i++) {
		if (h->processes[i].parent == process && h->processes[i].end == DH_NO_CALL)
			dh_access(b, ppid_object(b, i), DH_HIST_STORE);
	}
	if (parent == NONE)
		return;
	dh_vec_add(&b->process_states[parent].child_exits, b->now);
	b->process_states[parent].n_ended++;
	touch_ends(b, parent, DH_HIST_STORE);
}

void dh_effects_of_end(struct builder *b, int status, uint64_t seq)
{
	uint32_t process = b->h->tasks[b->task].process;

	if (b->ev->nr < 0 && WIFSIGNALED(status)) {
		struct vec *after = &b->task_states[b->task].after;

		add_signal(
			b, b->task, (struct dh_hist_signal){.sig = WTERMSIG(status), .seq = seq});
		for (size_t i = 0; i < after->n; i++)
			dh_build_after(b, after->v[i]);
		after->n = 0;
	}
	dh_files_end(b, b->task);
	b->task_states[b->task].ended = true;
	if (--b->process_states[process].n_live == 0)
		end_process(b, process);
}
