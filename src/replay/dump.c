#include "replay/dump.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "sysmodel/sysmodel.h"
#include "trace/call.h"
#include "trace/event.h"
#include "trace/reader.h"

static const char *call_name(int64_t nr)
{
	const struct dh_sys_desc *d = dh_sysmodel_find(nr);

	return d ? d->name : "?";
}

static const char *signal_name(int sig)
{
	const char *name = dh_sysmodel_signal_name(sig);

	return name ? name : "?";
}

static const char *where_name(enum dh_ev_where where)
{
	static const char *const names[] = {
		[DH_AT_ENTRY] = "interrupting the call",
		[DH_AT_BOUNDARY] = "after the last event",
		[DH_AT_FAULT] = "raised by the program",
		[DH_AT_STOP] = "before the next call or fault",
		[DH_AT_POINT] = "at an arbitrary instruction",
	};

	return (size_t)where < DH_ARRAY_SIZE(names) ? names[where] : "?";
}

static void add_result(struct dh_buf *out, int64_t result)
{
	const char *error =
		result < 0 && result > -4096 ? dh_sysmodel_errno_name((int)-result) : NULL;

	if (error)
		dh_buf_addf(out, " = -1 %s", error);
	else if (result > 0xffffff)
		dh_buf_addf(out, " = 0x%" PRIx64, (uint64_t)result);
	else
		dh_buf_addf(out, " = %" PRId64, result);
}

static void add_writes(struct dh_buf *out, struct dh_ev_writes w)
{
	struct dh_ev_write e;

	while (dh_ev_next_write(&w, &e) > 0)
		dh_buf_addf(out, "  [0x%" PRIx64 "]=%" PRIu64, e.addr, e.len);
}

static void add_vma(struct dh_buf *out, const struct dh_ev_vma *v)
{
	dh_buf_addf(out, " 0x%" PRIx64 "-0x%" PRIx64 " %c%c%c%c", v->start, v->end,
		v->prot & 1 ? 'r' : '-', v->prot & 2 ? 'w' : '-', v->prot & 4 ? 'x' : '-',
		v->shared ? 's' : 'p');
	if (v->file)
		dh_buf_addf(out, " file %" PRIu64 "+0x%" PRIx64, v->file, v->offset);
	if (v->key)
		dh_buf_addf(out, " shared memory %" PRIu64, v->key);
}

static int dump_file(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_file e;
	int r = dh_ev_get_file(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%" PRIu64 " is %s, %" PRIu64 " bytes, %s%s", e.id, e.path, e.size,
			e.hash, e.stored ? ", copied" : "");
	return r;
}

static int dump_exec(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_exec e;
	int r = dh_ev_get_exec(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%s", e.path);
	return r;
}

static int dump_clone(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_clone e;
	int r = dh_ev_get_clone(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "task %u: thread %u of process %u, flags 0x%" PRIx64, e.child,
			e.child_tid, e.child_pid, e.flags);
	return r;
}

static int dump_enter(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_enter e;
	int r = dh_ev_get_enter(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%s ...", call_name(e.nr));
	return r;
}

static int dump_syscall(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_syscall e;
	int r = dh_ev_get_syscall(ev, &e);

	if (r < 0)
		return r;
	dh_buf_adds(out, call_name(e.nr));
	add_result(out, e.result);
	add_writes(out, e.writes);
	return 0;
}

static int dump_call(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_call e;
	int r = dh_ev_get_call(ev, &e);

	if (r < 0)
		return r;
	dh_buf_adds(out, call_name(e.nr));
	for (uint32_t i = 0; i < e.n_refs; i++) {
		const struct dh_ev_ref *ref = &e.refs[i];

		dh_buf_addf(out, " %s", ref->path[0] ? ref->path : "-");
		if (ref->fd >= 0)
			dh_buf_addf(out, " (%d)", ref->fd);
		if (!ref->mode)
			dh_buf_adds(out, " (not there)");
	}
	if (e.text[0])
		dh_buf_addf(out, " '%s'", e.text);
	add_result(out, e.result);
	return 0;
}

static int dump_map(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_map e;
	int r = dh_ev_get_map(ev, &e);

	if (r < 0)
		return r;
	dh_buf_adds(out, call_name(e.nr));
	add_result(out, e.result);
	if (e.op != DH_MAP_NONE)
		add_vma(out, &e.vma);
	return 0;
}

static int dump_signal(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_signal e;
	int r = dh_ev_get_signal(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%s %s, handler at 0x%" PRIx64 ", frame 0x%" PRIx64 "+%" PRIu64,
			signal_name(e.sig), where_name(e.where), dh_regs_pc(&e.regs), e.frame,
			e.frame_len);
	return r;
}

static int dump_preempt(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_preempt e;
	int r = dh_ev_get_preempt(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%s", where_name(e.where));
	return r;
}

static int dump_tsc(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_tsc e;
	int r = dh_ev_get_tsc(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%" PRIu64, e.tsc);
	return r;
}

static int dump_random(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_random e;
	int r = dh_ev_get_random(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "0x%016" PRIx64, e.value);
	return r;
}

static int dump_exit(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_exit e;
	int r = dh_ev_get_exit(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%s status 0x%x%s", e.last ? "process" : "task", e.status,
			e.killed ? ", killed" : "");
	return r;
}

static int dump_write(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_writes w;
	int r = dh_ev_get_writes(ev, &w);

	if (r == 0)
		add_writes(out, w);
	return r;
}

static int dump_shared(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_shared e;
	int r = dh_ev_get_shared(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "memory %" PRIu64 " %s 0x%" PRIx64 "+%" PRIu64, e.key,
			e.truncate ? "ends at" : "written at", e.offset, e.len);
	return r;
}

static int dump_checkpoint(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_checkpoint e;
	int r = dh_ev_get_checkpoint(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%" PRIu64 " tasks, first process %u", e.n_tasks, e.root_pid);
	return r;
}

static int dump_process(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_process e;
	int r = dh_ev_get_process(ev, &e);

	if (r == 0)
		dh_buf_addf(out, "%u, address space %" PRIu64 ": %s", e.pid, e.mm, e.command);
	return r;
}

static int dump_memory(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_memory e;
	struct dh_ev_write w;
	uint64_t bytes = 0;
	int r = dh_ev_get_memory(ev, &e);

	if (r < 0)
		return r;
	while ((r = dh_ev_next_write(&e.writes, &w)) > 0)
		bytes += w.len;
	if (e.key)
		dh_buf_addf(out, "shared memory %" PRIu64 ": ", e.key);
	dh_buf_addf(out, "%" PRIu64 " bytes", bytes);
	return r;
}

static int dump_task(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_task e;
	int r = dh_ev_get_task(ev, &e);

	if (r < 0)
		return r;
	dh_buf_addf(out, "thread %u of process %u", e.tid, e.pid);
	if (e.ended)
		dh_buf_adds(out, " has ended");
	else
		dh_buf_addf(out, " (%s) at 0x%" PRIx64, e.name, dh_regs_pc(&e.regs));
	return 0;
}

static void add_buffered(struct dh_buf *out, struct dh_ev_buffered *c)
{
	struct dh_ev_buffered_out o;

	dh_buf_addf(out, "\n%24s%s", "", call_name(c->nr));
	add_result(out, c->result);
	while (dh_ev_next_buffered_out(c, &o) > 0) {
		if (o.shown)
			dh_buf_addf(out, "  shown: %" PRIu64, o.len);
		else if (o.file)
			dh_buf_addf(out, "  file %" PRIu64, o.addr);
		else if (o.arg < 0)
			dh_buf_addf(out, "  [0x%" PRIx64 "]=%" PRIu64, o.addr, o.len);
		else
			dh_buf_addf(out, "  [argument %d]=%" PRIu64, o.arg + 1, o.len);
	}
}

static int dump_buffer(const struct dh_trace_event *ev, struct dh_buf *out)
{
	static const char *const until[] = {
		[DH_UNTIL_EVENT] = "",
		[DH_UNTIL_BEHIND] = ", another task goes on behind them",
		[DH_UNTIL_ENTRY] = ", another task goes on during the next one",
	};
	struct dh_ev_buffered c;
	struct dh_ev_buffer e;
	int r = dh_ev_get_buffer(ev, &e);
	const uint8_t *at = e.records;

	if (r < 0)
		return r;
	dh_buf_addf(out, "%" PRIu64 " calls%s", e.n, until[e.until]);
	while (dh_ev_next_buffered(&at, e.records + e.len, &c) > 0)
		add_buffered(out, &c);
	return 0;
}

static int dump_patch(const struct dh_trace_event *ev, struct dh_buf *out)
{
	struct dh_ev_patch e;
	int r = dh_ev_get_patch(ev, &e);

	if (r == 0)
		dh_buf_addf(out,
			e.form == DH_EV_PATCH_TRAP ? "random numbers drawn at 0x%" PRIx64
						     " are noticed"
						   : "the call at 0x%" PRIx64 " is buffered",
			e.start);
	return r;
}

void dh_dump_event(const struct dh_trace_event *ev, struct dh_buf *out)
{
	static int (*const dump[DH_EV_COUNT])(const struct dh_trace_event *, struct dh_buf *) = {
		[DH_EV_FILE] = dump_file,
		[DH_EV_EXEC] = dump_exec,
		[DH_EV_CLONE] = dump_clone,
		[DH_EV_ENTER] = dump_enter,
		[DH_EV_SYSCALL] = dump_syscall,
		[DH_EV_MAP] = dump_map,
		[DH_EV_SIGNAL] = dump_signal,
		[DH_EV_TSC] = dump_tsc,
		[DH_EV_PREEMPT] = dump_preempt,
		[DH_EV_RANDOM] = dump_random,
		[DH_EV_EXIT] = dump_exit,
		[DH_EV_SHARED] = dump_shared,
		[DH_EV_BUFFER] = dump_buffer,
		[DH_EV_PATCH] = dump_patch,
		[DH_EV_WRITE] = dump_write,
		[DH_EV_CHECKPOINT] = dump_checkpoint,
		[DH_EV_PROCESS] = dump_process,
		[DH_EV_MEMORY] = dump_memory,
		[DH_EV_TASK] = dump_task,
		[DH_EV_CALL] = dump_call,
	};
	const char *name = dh_ev_name(ev->kind);

	dh_buf_addf(out, "%8" PRIu64 " %4u %-8s ", ev->seq, ev->task, name ? name : "?");
	if (ev->kind < DH_EV_COUNT && dump[ev->kind] && dump[ev->kind](ev, out) < 0)
		dh_buf_adds(out, "(damaged)");
	dh_buf_addc(out, '\n');
}
