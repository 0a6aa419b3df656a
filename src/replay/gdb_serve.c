#include "replay/gdb_serve.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "isa/gdbregs.h"
#include "replay/debug.h"
#include "replay/replayer.h"

#define READ_MAX ((DH_GDB_PACKET - 16) / 2)

void gdb_error(struct gdb_serve *s, const char *text)
{
	dh_buf_clear(&s->reply);
	dh_buf_addf(&s->reply, "E.%s", text);
}

/* The thread that a packet names: 0 and -1 mean any. */
static struct dh_replay_task *take_thread(struct gdb_serve *s, const char **at)
{
	uint64_t tid = 0;

	if (**at == '-') {
		(*at)++;
		return dh_gdb_take_hex(at, &tid) ? debug_any_task(s->r) : NULL;
	}
	if (!dh_gdb_take_hex(at, &tid) || tid > UINT32_MAX)
		return NULL;
	return tid ? debug_task(s->r, (uint32_t)tid) : debug_any_task(s->r);
}

static enum gdb_next on_why(struct gdb_serve *s, const char *at)
{
	(void)s;
	(void)at;
	return GDB_STOPPED;
}

static int load_registers(struct gdb_serve *s, struct dh_regs *regs, uint8_t *xstate)
{
	int n;

	memset(xstate, 0, DH_XSTATE_MAX);
	if (debug_regs(s->thread, regs) < 0)
		return -ESRCH;
	n = dh_tracee_get_xstate(&s->thread->t, xstate, DH_XSTATE_MAX);
	return n < 0 ? DH_XSTATE_MAX : n; /* inside vfork: zeros */
}

static enum gdb_next on_registers(struct gdb_serve *s, const char *at)
{
	uint8_t xstate[DH_XSTATE_MAX], bytes[DH_GDBREGS_MAX];
	struct dh_regs regs;
	struct dh_gdbregs g = {.layout = &s->r->layout, .regs = &regs, .xstate = xstate};
	int n = load_registers(s, &regs, xstate);

	(void)at;
	if (n < 0) {
		gdb_error(s, "the thread is gone");
		return GDB_REPLY;
	}
	g.xstate_size = (size_t)n;
	dh_gdb_add_hex(&s->reply, bytes, dh_gdbregs_all(&g, bytes));
	return GDB_REPLY;
}

static enum gdb_next on_register(struct gdb_serve *s, const char *at)
{
	uint8_t xstate[DH_XSTATE_MAX], bytes[16];
	struct dh_regs regs;
	struct dh_gdbregs g = {.layout = &s->r->layout, .regs = &regs, .xstate = xstate};
	uint64_t number;
	size_t size = 0;
	int n = load_registers(s, &regs, xstate);

	if (n >= 0 && dh_gdb_take_hex(&at, &number) && number < 256) {
		g.xstate_size = (size_t)n;
		size = dh_gdbregs_one(&g, (unsigned)number, bytes);
	}
	if (size)
		dh_gdb_add_hex(&s->reply, bytes, size);
	else
		gdb_error(s, "no such register");
	return GDB_REPLY;
}

static enum gdb_next on_write(struct gdb_serve *s, const char *at)
{
	(void)at;
	gdb_error(s, "a recording cannot be changed: memory and registers are what they were");
	return GDB_REPLY;
}

static enum gdb_next on_read(struct gdb_serve *s, const char *at)
{
	struct dh_replay_task *t = debug_any_task(s->r);
	uint8_t bytes[READ_MAX];
	uint64_t addr, len;
	size_t n = 0;

	if (t && dh_gdb_take_hex(&at, &addr) && *at++ == ',' && dh_gdb_take_hex(&at, &len))
		n = debug_read(s->d, t, addr, bytes, (size_t)DH_MIN(len, (uint64_t)READ_MAX));
	if (n)
		dh_gdb_add_hex(&s->reply, bytes, n);
	else
		dh_buf_adds(&s->reply, "E14"); /* bad address */
	return GDB_REPLY;
}

static enum gdb_next on_thread(struct gdb_serve *s, const char *at)
{
	struct dh_replay_task *t;
	char op = *at;

	at += op ? 1 : 0;
	t = take_thread(s, &at);
	if (!t) {
		dh_buf_adds(&s->reply, "E03"); /* no such process */
		return GDB_REPLY;
	}
	if (op == 'g')
		s->thread = t;
	dh_buf_adds(&s->reply, "OK");
	return GDB_REPLY;
}

static enum gdb_next on_alive(struct gdb_serve *s, const char *at)
{
	dh_buf_adds(&s->reply, take_thread(s, &at) ? "OK" : "E03");
	return GDB_REPLY;
}

/* TYPE,ADDR,KIND */
static bool take_point(const char *at, char *ret_type, uint64_t *ret_addr, uint64_t *ret_len)
{
	*ret_type = *at;
	if (!*at || at[1] != ',')
		return false;
	at += 2;
	return dh_gdb_take_hex(&at, ret_addr) && *at++ == ',' && dh_gdb_take_hex(&at, ret_len);
}

static enum gdb_next on_insert(struct gdb_serve *s, const char *at)
{
	struct dh_replay_task *t = debug_any_task(s->r);
	uint64_t addr, len;
	char type;
	int e;

	/* The hardware has no watch for reads alone: gdb makes one from accesses. */
	if (!take_point(at, &type, &addr, &len) || !t || !strchr("0124", type))
		return GDB_REPLY;
	e = type == '0' ? debug_add_break(s->d, t, addr)
			: debug_add_watch(s->d, t, type, addr, len);
	if (e == 0)
		dh_buf_adds(&s->reply, "OK");
	else if (e == -ENOSPC)
		gdb_error(s, "no debug register is free");
	else
		dh_buf_addf(&s->reply, "E%02x", (unsigned)-e & 0xff);
	return GDB_REPLY;
}

static enum gdb_next on_remove(struct gdb_serve *s, const char *at)
{
	struct dh_replay_task *t = debug_any_task(s->r);
	uint64_t addr, len;
	char type;

	if (!take_point(at, &type, &addr, &len) || !strchr("0124", type))
		return GDB_REPLY;
	if (type != '0')
		debug_remove_watch(s->d, type, addr, len);
	else if (t)
		debug_remove_break(s->d, t, addr);
	dh_buf_adds(&s->reply, "OK");
	return GDB_REPLY;
}

/* One of the actions of vCont: what, perhaps a signal or a range, perhaps ":THREAD". */
static bool take_action(const char **at, struct debug_action *ret)
{
	char what = *(*at)++;
	uint64_t number;

	*ret = (struct debug_action){.go = DEBUG_CONTINUE};
	switch (what) {
	case 'C':
	case 'S': /* which signal comes is the recording's decision */
		if (!dh_gdb_take_hex(at, &number))
			return false;
		ret->go = what == 'S' ? DEBUG_STEP : DEBUG_CONTINUE;
		break;
	case 'c':
		break;
	case 's':
		ret->go = DEBUG_STEP;
		break;
	case 'r':
		ret->go = DEBUG_STEP;
		if (!dh_gdb_take_hex(at, &ret->start) || *(*at)++ != ',' ||
			!dh_gdb_take_hex(at, &ret->end))
			return false;
		break;
	default:
		return false;
	}
	if (**at != ':')
		return true;
	(*at)++;
	if (**at == '-') { /* all */
		(*at)++;
		return dh_gdb_take_hex(at, &number);
	}
	if (!dh_gdb_take_hex(at, &number) || number == 0 || number > UINT32_MAX)
		return false;
	ret->tid = (uint32_t)number;
	return true;
}

/* gdb steps a thread alone over a breakpoint.  When it is not this thread's turn, that cannot be
 * done now: it is told that nothing moved, and lets all run.  The second time in a row the user
 * insists, and all run until the thread has made its step. */
static bool not_its_turn(struct gdb_serve *s)
{
	struct dh_debug *d = s->d;
	const struct debug_action *a = &d->actions[0];
	struct dh_replay_task *t;
	bool was_refused = d->refused;

	d->refused = false;
	if (d->n_actions != 1 || a->go != DEBUG_STEP || a->tid == 0 ||
		(d->current && a->tid == d->current->tid) || was_refused)
		return false;
	t = debug_task(s->r, a->tid);
	if (!t)
		return false;
	d->current = t;
	d->refused = true;
	return true;
}

static enum gdb_next on_continue(struct gdb_serve *s, const char *at)
{
	struct dh_debug *d = s->d;

	if (*at == '?') {
		dh_buf_adds(&s->reply, "vCont;c;C;s;S;r");
		return GDB_REPLY;
	}
	d->n_actions = 0;
	while (*at == ';' && d->n_actions < DH_DEBUG_ACTIONS) {
		at++;
		if (!take_action(&at, &d->actions[d->n_actions++]))
			break;
	}
	if (*at || d->n_actions == 0) {
		d->n_actions = 0;
		gdb_error(s, "not understood");
		return GDB_REPLY;
	}
	if (not_its_turn(s)) {
		d->signal = 5;
		dh_buf_clear(&d->reason);
		return GDB_STOPPED;
	}
	return GDB_RESUME;
}

static enum gdb_next on_detach(struct gdb_serve *s, const char *at)
{
	(void)at;
	dh_buf_adds(&s->reply, "OK");
	return GDB_DETACH;
}

static enum gdb_next on_kill(struct gdb_serve *s, const char *at)
{
	(void)s;
	(void)at;
	return GDB_KILL;
}

static const struct {
	const char *begins;
	enum gdb_next (*handle)(struct gdb_serve *s, const char *at);
} packets[] = {
	{"?", on_why},
	{"g", on_registers},
	{"p", on_register},
	{"m", on_read},
	{"G", on_write},
	{"P", on_write},
	{"M", on_write},
	{"X", on_write},
	{"H", on_thread},
	{"T", on_alive},
	{"Z", on_insert},
	{"z", on_remove},
	{"vCont", on_continue},
	{"D", on_detach},
	{"k", on_kill},
};

static enum gdb_next answer(struct gdb_serve *s)
{
	const char *text = dh_buf_str(s->packet);

	if (*text == 'q' || *text == 'Q')
		return gdb_query(s, text);
	for (size_t i = 0; i < DH_ARRAY_SIZE(packets); i++) {
		size_t n = strlen(packets[i].begins);

		if (strncmp(text, packets[i].begins, n) == 0)
			return packets[i].handle(s, text + n);
	}
	return GDB_REPLY;
}

static void describe_stop(struct gdb_serve *s)
{
	dh_buf_clear(&s->reply);
	dh_buf_addf(&s->reply, "T%02x", (unsigned)dh_gdb_signal_to(s->d->signal));
	if (s->d->reason.len)
		dh_buf_add(&s->reply, s->d->reason.data, s->d->reason.len);
	dh_buf_addf(&s->reply, "thread:%x;", s->d->current->tid);
	s->thread = s->d->current;
}

static void detach(struct gdb_serve *s)
{
	struct dh_replay_task *t = debug_any_task(s->r);
	struct dh_replay_task *tasks[256];
	size_t n = debug_tasks(s->r, tasks, DH_ARRAY_SIZE(tasks));

	if (t)
		dh_debug_lift(s->r, t, DH_DEBUG_ALL);
	memset(s->d->watches, 0, sizeof(s->d->watches));
	s->d->watch_version++;
	for (size_t i = 0; i < n; i++)
		debug_sync_watches(s->d, tasks[i]);
	s->d->detached = true;
}

static int converse(struct gdb_serve *s)
{
	DH_BUF struct dh_buf packet = DH_BUF_INIT;
	enum gdb_next next;
	int e;

	s->packet = &packet;
	for (;;) {
		e = dh_gdb_read(&s->d->gdb, &packet);
		if (e < 0)
			return e;
		if (e > 0)
			continue; /* an interrupt of what has stopped already */
		dh_buf_clear(&s->reply);
		next = answer(s);
		if (next == GDB_RESUME)
			return 0;
		if (next == GDB_KILL)
			return -ECANCELED;
		if (next == GDB_STOPPED)
			describe_stop(s);
		e = dh_gdb_send(&s->d->gdb, &s->reply);
		if (e < 0)
			return e;
		if (next == GDB_DETACH) {
			detach(s);
			return 0;
		}
	}
}

static int serve(struct dh_replay *r, bool first)
{
	struct gdb_serve s = {.r = r, .d = r->debug, .thread = r->debug->current};
	int e = 0;

	if (!first) {
		describe_stop(&s);
		e = dh_gdb_send(&s.d->gdb, &s.reply);
	}
	if (e == 0)
		e = converse(&s);
	dh_buf_release(&s.reply);
	return e;
}

int dh_gdb_serve(struct dh_replay *r)
{
	return serve(r, false);
}

int dh_gdb_greet(struct dh_replay *r)
{
	return serve(r, true);
}
