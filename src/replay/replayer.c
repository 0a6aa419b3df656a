/* The replayer's frame: opens a recording, starts the first process, dispatches events. */
#include "replay/debug.h"
#include "replay/replayer.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "base/paths.h"
#include "isa/cpu.h"
#include "proc/filter.h"
#include "proc/spawn.h"
#include "proc/tsc.h"
#include "trace/meta.h"

int dh_rpl_diverged(struct dh_replay *r, struct dh_replay_task *t, const char *fmt, ...)
{
	char text[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return dh_error_set(r->err, EPROTO,
		"the replay differs from the recording at event %" PRIu64 " (%s): process %u, "
		"thread %u %s",
		r->ev.seq, dh_ev_name(r->ev.kind) ? dh_ev_name(r->ev.kind) : "?", t->pid, t->tid,
		text);
}

int dh_rpl_damaged(struct dh_replay *r)
{
	return dh_error_set(
		r->err, EBADMSG, "the recording is damaged at event %" PRIu64, r->ev.seq);
}

struct dh_replay_task *dh_rpl_task_new(
	struct dh_replay *r, uint32_t id, pid_t real, uint32_t tid, uint32_t pid)
{
	struct dh_replay_task *t = dh_new(struct dh_replay_task);

	dh_tracee_init(&t->t, real);
	t->id = id;
	t->tid = tid;
	t->pid = pid;
	t->real_pid = real;
	t->vm = ++r->n_vms;
	dh_map_setp(&r->tasks, id, t);
	return t;
}

int dh_rpl_writes(struct dh_replay *r, struct dh_replay_task *t, struct dh_ev_writes *w)
{
	struct dh_ev_write e;
	int n;

	while ((n = dh_ev_next_write(w, &e)) > 0) {
		dh_debug_lift(r, t, e.addr, e.len);
		if (dh_tracee_write(&t->t, e.addr, e.data, e.len) < 0)
			return dh_rpl_diverged(
				r, t, "has no memory at 0x%" PRIx64 " to write to", e.addr);
	}
	return n < 0 ? dh_rpl_damaged(r) : 0;
}

/* The same calls stop as in the recording. */
static int build_filter(bool ring, struct sock_filter filter[DH_FILTER_MAX])
{
	uint8_t stops[DH_SYS_MAX_NR + 1];

	dh_sysmodel_stops(stops);
	for (int64_t nr = 0; ring && nr <= DH_SYS_MAX_NR; nr++)
		stops[nr] |= dh_sysmodel_sets_state(nr);
	return dh_filter_build(stops, (int)sizeof(stops), filter);
}

/* The same processor as in the recording, if there is one: cpuid tells its number. */
static int choose_cpu(struct dh_replay *r)
{
	uint32_t want = dh_trace_reader_meta(r->reader)->cpu;
	int here = sched_getcpu();
	cpu_set_t allowed;

	if (want < CPU_SETSIZE && sched_getaffinity(0, sizeof(allowed), &allowed) == 0 &&
		CPU_ISSET(want, &allowed))
		return (int)want;
	return here < 0 ? 0 : here;
}

int dh_rpl_spawn(struct dh_replay *r, uint32_t id)
{
	char *const argv[] = {(char *)"deadheat-replay", NULL}, *const envp[] = {NULL};
	struct sock_filter filter[DH_FILTER_MAX];
	struct dh_spawn s = {.file = r->husk,
		.argv = argv,
		.envp = envp,
		.filter = filter,
		.n_filter = build_filter(
			dh_trace_reader_meta(r->reader)->flags & (DH_TRACE_RING | DH_TRACE_STATE),
			filter),
		.cpu = choose_cpu(r)};
	struct dh_replay_task *t;
	struct dh_stop stop;
	cpu_set_t one;
	pid_t pid;
	int e = dh_spawn_traced(&s, &pid, r->err);

	if (e < 0)
		return e;
	CPU_ZERO(&one);
	CPU_SET(s.cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	t = dh_rpl_task_new(r, id, pid, (uint32_t)pid, (uint32_t)pid);
	if (!r->root)
		r->root = id;
	for (bool executed = false; !(executed && stop.kind == DH_STOP_SYSCALL);) {
		if (dh_tracee_wait(&t->t, &stop) < 0 || stop.kind == DH_STOP_EXITED)
			return dh_error_set(r->err, EIO, "cannot execute %s", r->husk);
		if (stop.kind == DH_STOP_EXEC)
			executed = true;
		if (!(executed && stop.kind == DH_STOP_SYSCALL))
			dh_tracee_resume(&t->t, DH_RESUME_SYSCALL, 0);
	}
	t->at = AT_HUSK;
	return 0;
}

/* A program takes other paths on a processor that says other things about itself. */
static int check_machine(struct dh_replay *r, struct dh_error *err)
{
	const struct dh_trace_meta *meta = dh_trace_reader_meta(r->reader);
	DH_BUF struct dh_buf why = DH_BUF_INIT;
	struct dh_trace_machine here;
	struct dh_cpu cpu;
	enum dh_trace_machine_match match;
	char *newline;

	dh_cpu_read(&cpu);
	dh_trace_machine_init(&here, cpu.vendor, cpu.model, cpu.features, cpu.id, cpu.xstate_size);
	match = dh_trace_meta_compare_machine(&meta->machine, &here, &why);
	dh_trace_machine_release(&here);
	if (match != DH_TRACE_MACHINE_OTHER || r->opt.any_machine)
		return 0;
	while ((newline = strchr(why.data, '\n')))
		*newline = newline[1] ? ';' : '\0';
	return dh_error_set(err, ENOTSUP,
		"this machine differs from the one of the recording: %s (--any-machine tries "
		"anyway)",
		dh_buf_str(&why));
}

int dh_replay_open(const char *dir, const struct dh_replay_options *opt, struct dh_replay **ret,
	struct dh_error *err)
{
	struct dh_replay *r = dh_new(struct dh_replay);
	struct dh_trace_event first;
	int e;

	r->opt = *opt;
	r->err = err;
	r->status = -1;
	dh_xstate_layout_host(&r->layout);
	e = dh_runtime_file("husk", "deadheat-husk", r->husk, sizeof(r->husk), err);
	if (e == 0)
		e = dh_trace_reader_open(dir, &r->reader, err);
	if (e == 0)
		e = check_machine(r, err);
	if (e == 0)
		e = dh_trace_reader_peek(r->reader, &first, err);
	if (e < 0) {
		dh_replay_free(r);
		return e;
	}
	r->first = r->position = e > 0 ? first.seq : 0;
	*ret = r;
	return 0;
}

static int dispatch(struct dh_replay *r)
{
	static int (*const play[DH_EV_COUNT])(struct dh_replay *, struct dh_replay_task *) = {
		[DH_EV_EXEC] = dh_play_exec,
		[DH_EV_CLONE] = dh_play_clone,
		[DH_EV_ENTER] = dh_play_enter,
		[DH_EV_SYSCALL] = dh_play_syscall,
		[DH_EV_MAP] = dh_play_map,
		[DH_EV_SIGNAL] = dh_play_signal,
		[DH_EV_TSC] = dh_play_tsc,
		[DH_EV_PREEMPT] = dh_play_preempt,
		[DH_EV_EXIT] = dh_play_exit,
		[DH_EV_BUFFER] = dh_play_buffer,
		[DH_EV_PATCH] = dh_play_patch,
		[DH_EV_WRITE] = dh_play_write,
		[DH_EV_SHARED] = dh_play_shared,
		[DH_EV_RANDOM] = dh_play_random,
	};
	struct dh_replay_task *t;
	int e;

	if (r->ev.kind == DH_EV_FILE)
		return dh_play_file(r);
	if (r->ev.kind == DH_EV_CALL) /* for those who analyse, not for us */
		return 0;
	if (dh_play_checkpoint(r, &e))
		return e;
	if (r->ev.kind >= DH_EV_COUNT || !play[r->ev.kind])
		return dh_rpl_damaged(r);
	if (r->ev.kind == DH_EV_EXEC && !r->root) {
		e = dh_rpl_spawn(r, r->ev.task);
		if (e < 0)
			return e;
	}
	t = dh_map_getp(&r->tasks, r->ev.task);
	return t ? play[r->ev.kind](r, t) : dh_rpl_damaged(r);
}

int dh_replay_next(struct dh_replay *r, struct dh_error *err)
{
	int n;

	r->err = err;
	n = dh_debug_before(r);
	if (n <= 0)
		return n;
	n = r->position < r->opt.until ? dh_trace_reader_next(r->reader, &r->ev, err) : 0;
	if (n == 0)
		n = dh_debug_end(r, "The recording ends here.");
	if (n <= 0)
		return n;
	dh_tsc_forgo();
	n = dispatch(r);
	if (n >= 0) {
		r->position = r->ev.seq + 1;
		r->stats.events++;
	}
	n = dh_debug_after(r, n);
	return n < 0 ? n : 1;
}

uint64_t dh_replay_first(const struct dh_replay *r)
{
	return r->first;
}

uint64_t dh_replay_position(const struct dh_replay *r)
{
	return r->position;
}

int dh_replay_status(const struct dh_replay *r)
{
	return r->status;
}

bool dh_replay_complete(const struct dh_replay *r)
{
	return dh_trace_reader_complete(r->reader);
}

struct dh_replay_stats dh_replay_stats(const struct dh_replay *r)
{
	return r->stats;
}

static void free_tasks(struct dh_replay *r)
{
	dh_map_foreach (slot, &r->tasks) {
		struct dh_replay_task *t = (struct dh_replay_task *)(uintptr_t)slot->value;

		if (t->real_pid > 0)
			kill(t->real_pid, SIGKILL);
	}
	/* In whatever order they end: a process is reaped after all its threads. */
	for (;;) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);

		if (tid < 0 && errno != EINTR)
			break;
		if (tid > 0 && WIFSTOPPED(status))
			ptrace(PTRACE_CONT, tid, 0, 0);
	}
	dh_map_foreach (slot, &r->tasks) {
		struct dh_replay_task *t = (struct dh_replay_task *)(uintptr_t)slot->value;

		dh_tracee_release(&t->t);
		dh_play_buffer_release(t);
		free(t);
	}
	dh_map_release(&r->tasks);
}

void dh_replay_free(struct dh_replay *r)
{
	if (!r)
		return;
	dh_tsc_regain();
	free_tasks(r);
	dh_debug_free(r->debug);
	dh_map_foreach (slot, &r->files) {
		struct replay_file *f = (struct replay_file *)(uintptr_t)slot->value;

		free(f->path);
		free(f->recorded);
		free(f);
	}
	dh_map_foreach (slot, &r->shared)
		close((int)slot->value);
	dh_map_release(&r->files);
	dh_map_release(&r->shared);
	dh_map_release(&r->segments);
	dh_map_release(&r->restore.mms);
	dh_trace_reader_free(r->reader);
	free(r);
}
