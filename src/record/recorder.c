/* The recorder's loop: waits for stops, finds the task, hands the stop to whoever handles it. */
#include "record/recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <linux/filter.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/fd.h"
#include "isa/cpu.h"
#include "proc/filter.h"
#include "proc/spawn.h"
#include "proc/tsc.h"
#include "record/buffer.h"
#include "record/describe.h"
#include "record/notes.h"
#include "trace/meta.h"
#include "trace/writer.h"

#define TICK_US 5000

static volatile sig_atomic_t forward_to;

void dh_record_forward_signal(int sig)
{
	int saved = errno;

	if (forward_to > 0)
		kill(forward_to, sig);
	errno = saved;
}

void dh_rec_log_parts(
	struct recorder *r, struct task *t, enum dh_ev kind, const struct iovec *parts, int n)
{
	if (!r->result->write_error) {
		int e = dh_trace_writer_add(r->writer, (uint16_t)kind, t->id, parts, n);

		if (e < 0) {
			r->result->write_error = -e;
			dh_rec_warn(
				r, "recording ends here (%s); the program goes on", strerror(-e));
		}
	}
	r->result->events++;
	dh_notes_event(r);
}

void dh_rec_log(struct recorder *r, struct task *t, enum dh_ev kind)
{
	struct iovec part;

	dh_buffer_before_event(r, t);
	part = (struct iovec){r->payload.data, r->payload.len};
	dh_rec_log_parts(r, t, kind, &part, 1);
	dh_buf_clear(&r->payload);
}

void dh_rec_fail(struct recorder *r, int error, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (r->failed)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->failed = dh_error_set(r->err, error, "%s", text);
}

void dh_rec_warn(struct recorder *r, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!r->opt->warn)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->opt->warn(r->opt->cookie, text);
}

struct process *dh_rec_process_new(struct recorder *r, pid_t pid)
{
	struct process *p = dh_new(struct process);

	p->pid = pid;
	p->next = r->processes;
	r->processes = p;
	r->result->processes++;
	return p;
}

struct task *dh_rec_task_new(struct recorder *r, pid_t tid, struct process *p, struct group *g)
{
	struct task *t = dh_new(struct task);

	dh_tracee_init(&t->t, tid);
	t->id = r->next_task++;
	t->process = p;
	p->n_tasks++;
	dh_group_join(t, g);
	dh_map_setp(&r->tasks, (uint64_t)tid, t);
	r->result->tasks++;
	return t;
}

static void free_process(struct recorder *r, struct process *p)
{
	for (struct process **i = &r->processes; *i; i = &(*i)->next) {
		if (*i == p) {
			*i = p->next;
			break;
		}
	}
	dh_buffer_release(p);
	dh_map_release(&p->random);
	dh_map_release(&p->fd_echo);
	dh_map_release(&p->keys);
	dh_map_release(&p->pages);
	free(p);
}

void dh_rec_task_gone(struct recorder *r, struct task *t)
{
	if (dh_map_getp(&r->tasks, (uint64_t)t->t.tid) == t)
		dh_map_del(&r->tasks, (uint64_t)t->t.tid);
	dh_call_vfork_over(r, t);
	dh_echo_end(r, t);
	if (t->vfork_child)
		t->vfork_child->vfork_parent = NULL;
	dh_group_leave(r, t);
	dh_tracee_release(&t->t);
	dh_rules_inherit(&(struct task){0}, t);
	dh_buf_release(&t->entry_xstate);
	dh_notes_idle(r, t);
	dh_describe_release(t);
	if (--t->process->n_tasks == 0)
		free_process(r, t->process);
	free(t);
}

void dh_rec_resume(struct recorder *r, struct task *t, enum dh_resume how, int sig)
{
	(void)r;
	t->stopped = false;
	/* A task that was killed meanwhile is not there any more: its end is reported by wait. */
	dh_tracee_resume(&t->t, how, sig);
}

/* The whole process is gone and its parent can know: the status that a replay must end with. */
static void log_process_end(struct recorder *r, struct task *t, int status)
{
	struct dh_ev_exit e = {.status = status, .last = true};

	dh_buf_clear(&r->writes);
	dh_ev_put_exit(&r->payload, &e, &r->writes, 0);
	dh_rec_log(r, t, DH_EV_EXIT);
}

static void gone(struct recorder *r, struct task *t, int status)
{
	dh_gate_forget(r, t);
	dh_gate_ended(r, t, status, t->t.tid == t->process->pid);
	if (t->t.tid == t->process->pid)
		log_process_end(r, t, status);
	if (t->t.tid == r->root)
		r->result->status = status;
	dh_rec_task_gone(r, t);
}

void dh_rec_ended(struct recorder *r, struct task *t)
{
	if (t->stop.kind == DH_STOP_EXITED)
		gone(r, t, t->stop.status);
	else if (t->stop.kind == DH_STOP_EXITING)
		dh_rec_handle(r, t);
}

static void start_or_preempt(struct recorder *r, struct task *t)
{
	if (t->preempt_asked) {
		t->preempt_asked = false;
		dh_signal_preempt(r, t);
		return;
	}
	dh_rec_resume(r, t, DH_RESUME_CONT, 0);
}

void dh_rec_handle(struct recorder *r, struct task *t)
{
	switch (t->stop.kind) {
	case DH_STOP_SECCOMP:
		dh_call_entry(r, t);
		break;
	case DH_STOP_SYSCALL:
		dh_call_exit(r, t);
		break;
	case DH_STOP_CLONE:
		dh_call_cloned(r, t);
		break;
	case DH_STOP_EXEC:
		dh_image_exec_stop(r, t);
		break;
	case DH_STOP_SIGNAL:
		dh_signal_stop(r, t);
		break;
	case DH_STOP_INTERRUPT:
		start_or_preempt(r, t);
		break;
	case DH_STOP_EXITING:
		dh_exit_stop(r, t);
		break;
	case DH_STOP_GROUP:
		t->stopped = false;
		dh_tracee_listen(&t->t);
		break;
	case DH_STOP_EXITED:
		break;
	}
}

/* Ends and job control do not touch memory, and must not wait.  A call that has waited in the
 * kernel is logged at once, because the kernel has written its results already; the task itself
 * then waits for its turn (finish() in call.c).  A restarted call goes back into the kernel
 * directly. */
static bool needs_turn(const struct task *t)
{
	switch (t->stop.kind) {
	case DH_STOP_EXITING:
	case DH_STOP_GROUP:
	case DH_STOP_EXEC:
		return false;
	case DH_STOP_SYSCALL:
		return t->state != TASK_WAITING;
	case DH_STOP_SECCOMP:
		return !t->interrupted || t->reenters;
	default:
		return true;
	}
}

void dh_rec_dispatch(struct recorder *r, struct task *t)
{
	if (!needs_turn(t) || dh_turn_take(r, t))
		dh_rec_handle(r, t);
}

void dh_rec_stopped(struct recorder *r, pid_t tid, int status)
{
	struct task *t = dh_map_getp(&r->tasks, (uint64_t)tid);
	struct dh_stop stop = dh_stop_classify(status);

	if (!t) {
		if (stop.kind != DH_STOP_EXITED)
			dh_map_set(&r->orphans, (uint64_t)tid, (uint64_t)(unsigned)status);
		return;
	}
	if (stop.kind == DH_STOP_EXITED) {
		gone(r, t, status);
		return;
	}
	if (r->gate)
		dh_gate_forget(r, t);
	t->stop = stop;
	t->stopped = true;
	dh_rec_dispatch(r, t);
}

static volatile sig_atomic_t ticked;

static void on_tick(int sig)
{
	(void)sig;
	ticked = 1;
}

void dh_ticks_want(struct recorder *r)
{
	struct itimerval it = {{0, TICK_US}, {0, TICK_US}};

	if (r->ticking)
		return;
	r->ticking = true;
	setitimer(ITIMER_REAL, &it, NULL);
}

void dh_ticks_stop(struct recorder *r)
{
	if (r->ticking)
		setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	r->ticking = false;
}

/* Behind every stop and every tick. */
static void look_at_gate(struct recorder *r, bool stopped)
{
	if (stopped)
		r->last_stop = dh_rec_now();
	if (!r->gate_opened && dh_gate_is_open(r)) {
		r->gate_opened = true;
		dh_buffer_gate_opened(r);
	}
	dh_gate_retry(r);
	if (ticked) {
		ticked = 0;
		dh_gate_tick(r);
	}
}

static void loop(struct recorder *r)
{
	while (r->tasks.n && !r->failed) {
		int status;
		pid_t tid;

		dh_checkpoint_maybe(r);
		dh_tsc_forgo();
		tid = waitpid(-1, &status, __WALL);
		if (tid > 0)
			dh_rec_stopped(r, tid, status);
		else if (errno == EINTR)
			dh_turn_tick(r);
		else
			break;
		if (r->gate)
			look_at_gate(r, tid > 0);
	}
}

static void kill_all(struct recorder *r)
{
	if (r->opt->ending)
		r->opt->ending(r->opt->cookie);
	dh_map_foreach (slot, &r->tasks) {
		struct task *t = (struct task *)(uintptr_t)slot->value;

		kill(t->t.tid, SIGKILL);
	}
	/* Those that stopped before their parents' calls were seen are no tasks yet. */
	dh_map_foreach (slot, &r->orphans)
		kill((pid_t)slot->key, SIGKILL);
	for (;;) {
		int status;
		pid_t tid = waitpid(-1, &status, __WALL);

		if (tid < 0 && errno != EINTR)
			return;
		if (tid > 0 && WIFSTOPPED(status)) { /* on its way out, or just made */
			kill(tid, SIGKILL);
			ptrace(PTRACE_CONT, tid, 0, 0);
		}
	}
}

static int build_filter(bool all_state, struct sock_filter filter[DH_FILTER_MAX])
{
	uint8_t stops[DH_SYS_MAX_NR + 1];

	dh_sysmodel_stops(stops);
	for (int64_t nr = 0; all_state && nr <= DH_SYS_MAX_NR; nr++)
		stops[nr] |= dh_sysmodel_sets_state(nr);
	return dh_filter_build(stops, (int)sizeof(stops), filter);
}

static int choose_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : cpu;
}

static int start(struct recorder *r)
{
	struct sock_filter filter[DH_FILTER_MAX];
	struct dh_spawn s = {.file = r->opt->argv[0],
		.argv = r->opt->argv,
		.envp = environ,
		.filter = filter,
		.n_filter = build_filter(r->opt->max_size || r->gate || r->opt->calls, filter),
		.cpu = r->cpu,
		.prepare = r->opt->prepare,
		.cookie = r->opt->cookie};
	struct process *p;
	struct task *t;
	cpu_set_t one;
	int e;

	sched_getaffinity(0, sizeof(r->cpus), &r->cpus);
	e = dh_spawn_traced(&s, &r->root, r->err);
	if (e < 0)
		return e;
	CPU_ZERO(&one);
	CPU_SET(s.cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	p = dh_rec_process_new(r, r->root);
	t = dh_rec_task_new(r, r->root, p, dh_group_new());
	r->last_stop = dh_rec_now();
	dh_gate_created(r, NULL, t, 0);
	forward_to = r->root;
	return 0;
}

static void release(struct recorder *r)
{
	forward_to = 0;
	sched_setaffinity(0, sizeof(r->cpus), &r->cpus);
	dh_map_release(&r->tasks);
	dh_map_release(&r->orphans);
	dh_files_release(r);
	dh_sites_release(r);
	dh_map_release(&r->shared);
	dh_buf_release(&r->payload);
	dh_buf_release(&r->writes);
	dh_buf_release(&r->scratch);
	dh_buf_release(&r->drained);
	dh_buf_release(&r->linker.places);
	dh_buf_release(&r->linker.pages);
	dh_notes_close(r);
	dh_buf_release(&r->shared_files);
}

static void describe(struct dh_trace_meta *m, const struct dh_record_options *opt)
{
	struct dh_cpu cpu;
	size_t n = 0;

	while (opt->argv[n])
		n++;
	m->argv = dh_zalloc((n + 1) * sizeof(*m->argv));
	for (size_t i = 0; i < n; i++)
		m->argv[i] = dh_strdup(opt->argv[i]);
	m->cwd = getcwd(NULL, 0);
	while (environ[m->n_env])
		m->n_env++;
	m->flags = (opt->chaos ? DH_TRACE_CHAOS : 0) |
		   (opt->gate || opt->calls ? DH_TRACE_STATE : 0) |
		   (opt->unsynced ? DH_TRACE_UNSYNCED : 0);
	dh_cpu_read(&cpu);
	dh_trace_machine_init(
		&m->machine, cpu.vendor, cpu.model, cpu.features, cpu.id, cpu.xstate_size);
}

static int cannot_run(const char *file, int error, struct dh_error *err)
{
	struct stat st;
	bool here = stat(file, &st) == 0;

	if (error == ENOENT && here && S_ISREG(st.st_mode))
		return dh_error_set(err, error,
			"cannot run '%s': no such program in PATH; the file here is './%s'", file,
			file);
	if (error == EACCES && here && S_ISDIR(st.st_mode))
		return dh_error_set(err, error, "cannot run '%s': it is a directory", file);
	if (error == EACCES && here && !(st.st_mode & 0111))
		return dh_error_set(err, error,
			"cannot run '%s': the file is not executable ('chmod +x', or name the "
			"program that reads it first)",
			file);
	return dh_error_set(err, error, "cannot run '%s': %s", file,
		error == ENOENT ? "no such program" : strerror(error));
}

int dh_record_run(
	const struct dh_record_options *opt, struct dh_record_result *ret, struct dh_error *err)
{
	struct recorder r = {.opt = opt,
		.result = ret,
		.err = err,
		.next_file = 1,
		.next_key = 1,
		.next_task = 1,
		.rng = opt->seed,
		.gate = opt->gate,
		.order_id = -1};
	struct dh_trace_meta meta = {0};
	char path[4096];
	int e;

	*ret = (struct dh_record_result){0};
	e = dh_spawn_resolve(opt->argv[0], path, sizeof(path));
	if (e < 0)
		return cannot_run(opt->argv[0], -e, err);
	describe(&meta, opt);
	r.cpu = choose_cpu();
	meta.cpu = (uint32_t)r.cpu;
	e = dh_trace_writer_open(opt->dir, &meta, opt->max_size, &r.writer, err);
	dh_trace_meta_release(&meta);
	if (e < 0)
		return e;
	dh_notes_open(&r);
	e = start(&r);
	if (e == 0) {
		sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_tick}, NULL);
		if (r.gate)
			dh_ticks_want(&r);
		loop(&r);
		dh_tsc_regain();
		dh_ticks_stop(&r);
		signal(SIGALRM, SIG_DFL);
		if (r.failed)
			kill_all(&r);
		e = r.failed;
	}
	if (dh_trace_writer_close(r.writer, e == 0 ? err : NULL) < 0 && !ret->write_error)
		ret->write_error = EIO;
	release(&r);
	if (e < 0 && ret->events == 0)
		dh_remove_tree(opt->dir);
	return e;
}
