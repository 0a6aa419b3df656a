/* Queries: what gdb wants to know about the process as a whole. */
#include "replay/gdb_serve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "isa/gdbregs.h"
#include "replay/debug.h"
#include "replay/replayer.h"

#define THREADS_MAX 4096
#define NAME_MAX_   64

static enum gdb_next on_supported(struct gdb_serve *s, const char *at)
{
	(void)at;
	dh_buf_addf(&s->reply,
		"PacketSize=%x;QStartNoAckMode+;QPassSignals+;multiprocess-;vContSupported+;"
		"swbreak+;hwbreak+;exec-events+;qXfer:features:read+;qXfer:auxv:read+;"
		"qXfer:exec-file:read+;qXfer:threads:read+;qXfer:libraries-svr4:read+;"
		"qXfer:siginfo:read+",
		DH_GDB_PACKET);
	return GDB_REPLY;
}

static enum gdb_next on_no_acks(struct gdb_serve *s, const char *at)
{
	(void)at;
	s->d->gdb.no_acks = true;
	dh_buf_adds(&s->reply, "OK");
	return GDB_REPLY;
}

static enum gdb_next on_pass_signals(struct gdb_serve *s, const char *at)
{
	uint64_t number;
	int sig;

	memset(s->d->pass, 0, sizeof(s->d->pass));
	while (dh_gdb_take_hex(&at, &number)) {
		sig = number < 256 ? dh_gdb_signal_from((int)number) : 0;
		if (sig > 0 && sig < DH_DEBUG_SIGNALS)
			s->d->pass[sig] = true;
		at += *at == ';';
	}
	dh_buf_adds(&s->reply, "OK");
	return GDB_REPLY;
}

static enum gdb_next on_current(struct gdb_serve *s, const char *at)
{
	(void)at;
	dh_buf_addf(&s->reply, "QC%x", s->d->current->tid);
	return GDB_REPLY;
}

/* "No": so that gdb ends the replay when the user leaves it. */
static enum gdb_next on_attached(struct gdb_serve *s, const char *at)
{
	(void)at;
	dh_buf_adds(&s->reply, "0");
	return GDB_REPLY;
}

static enum gdb_next on_first_threads(struct gdb_serve *s, const char *at)
{
	struct dh_replay_task *tasks[THREADS_MAX];
	size_t n = debug_tasks(s->r, tasks, THREADS_MAX);

	(void)at;
	for (size_t i = 0; i < n && s->reply.len < DH_GDB_PACKET - 32; i++)
		dh_buf_addf(&s->reply, "%c%x", i ? ',' : 'm', tasks[i]->tid);
	return GDB_REPLY;
}

static enum gdb_next on_more_threads(struct gdb_serve *s, const char *at)
{
	(void)at;
	dh_buf_adds(&s->reply, "l");
	return GDB_REPLY;
}

static void add_xml(struct dh_buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("<>&\"'", *text))
			dh_buf_addf(out, "&#%d;", *text);
		else if ((unsigned char)*text >= ' ')
			dh_buf_addc(out, *text);
	}
}

static int get_features(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	if (strcmp(annex, "target.xml") != 0)
		return -ENOENT;
	dh_gdbregs_describe(&s->r->layout, out);
	return 0;
}

static int get_auxv(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	struct dh_replay_task *t = debug_any_task(s->r);

	(void)annex;
	return t ? debug_auxv(t, out) : -ESRCH;
}

static int get_exec_file(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	struct dh_replay_task *t = debug_any_task(s->r);

	(void)annex;
	return t ? debug_executable(s->r, t, out) : -ESRCH;
}

static int get_libraries(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	struct dh_replay_task *t = debug_any_task(s->r);
	DH_BUF struct dh_buf name = DH_BUF_INIT;
	struct debug_library lib = {0};
	int e = t ? debug_first_library(t, &lib) : -ESRCH;

	(void)annex;
	dh_buf_adds(out, "<library-list-svr4 version=\"1.0\"");
	if (e == 0 && lib.main)
		dh_buf_addf(out, " main-lm=\"0x%" PRIx64 "\"", lib.main);
	dh_buf_addc(out, '>');
	while (e == 0 && (e = debug_next_library(s->r, t, &lib, &name)) > 0) {
		dh_buf_adds(out, "<library name=\"");
		add_xml(out, dh_buf_str(&name));
		dh_buf_addf(out,
			"\" lm=\"0x%" PRIx64 "\" l_addr=\"0x%" PRIx64 "\" l_ld=\"0x%" PRIx64
			"\" lmid=\"0x0\"/>",
			lib.at, lib.base, lib.dynamic);
		e = 0;
	}
	dh_buf_adds(out, "</library-list-svr4>");
	return 0;
}

static void thread_name(const struct dh_replay_task *t, char ret[NAME_MAX_])
{
	DH_BUF struct dh_buf text = DH_BUF_INIT;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", t->t.tid);
	ret[0] = '\0';
	if (dh_read_file(path, NAME_MAX_, &text, NULL) == 0)
		snprintf(ret, NAME_MAX_, "%s", dh_buf_str(&text));
	ret[strcspn(ret, "\n")] = '\0';
}

static const char *thread_state(struct dh_replay_task *t)
{
	const struct dh_sys_desc *call;
	struct dh_regs regs;

	if ((t->at != AT_ENTRY && t->at != AT_KERNEL) || debug_regs(t, &regs) < 0)
		return NULL;
	call = dh_sysmodel_find(dh_regs_syscall(&regs));
	return call ? call->name : "?";
}

static int get_threads(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	struct dh_replay_task *tasks[THREADS_MAX];
	size_t n = debug_tasks(s->r, tasks, THREADS_MAX);

	(void)annex;
	dh_buf_adds(out, "<?xml version=\"1.0\"?>\n<threads>\n");
	for (size_t i = 0; i < n; i++) {
		const char *call = thread_state(tasks[i]);
		char name[NAME_MAX_];

		thread_name(tasks[i], name);
		dh_buf_addf(out, "<thread id=\"%x\" name=\"", tasks[i]->tid);
		add_xml(out, name);
		dh_buf_adds(out, "\">");
		if (call)
			dh_buf_addf(out, "in %s()", call);
		dh_buf_adds(out, "</thread>\n");
	}
	dh_buf_adds(out, "</threads>\n");
	return 0;
}

static int get_siginfo(struct gdb_serve *s, const char *annex, struct dh_buf *out)
{
	(void)annex;
	if (!s->d->siginfo.si_signo)
		return -ENOENT;
	dh_buf_add(out, &s->d->siginfo, sizeof(s->d->siginfo));
	return 0;
}

static const struct {
	const char *name;
	int (*get)(struct gdb_serve *s, const char *annex, struct dh_buf *out);
} objects[] = {
	{"features", get_features},
	{"auxv", get_auxv},
	{"exec-file", get_exec_file},
	{"libraries-svr4", get_libraries},
	{"siginfo", get_siginfo},
	{"threads", get_threads},
};

/* The part of data that was asked for, with the bytes escaped that frame packets. */
static void add_part(struct dh_buf *out, const struct dh_buf *data, uint64_t offset, uint64_t len)
{
	uint64_t left = offset < data->len ? data->len - offset : 0, n = DH_MIN(left, len);

	n = DH_MIN(n, (uint64_t)DH_GDB_PACKET / 2 - 16);
	dh_buf_addc(out, n < left ? 'm' : 'l');
	for (uint64_t i = 0; i < n; i++) {
		char c = data->data[offset + i];

		if (c == '#' || c == '$' || c == '}' || c == '*') {
			dh_buf_addc(out, '}');
			c ^= 0x20;
		}
		dh_buf_addc(out, c);
	}
}

/* OBJECT:read:ANNEX:OFFSET,LENGTH */
static enum gdb_next on_transfer(struct gdb_serve *s, const char *at)
{
	DH_BUF struct dh_buf data = DH_BUF_INIT;
	char object[32], annex[64];
	uint64_t offset, len;
	int n = 0;

	if (sscanf(at, "%31[^:]:read:%n", object, &n) != 1 || n == 0)
		return GDB_REPLY;
	at += n;
	n = 0;
	annex[0] = '\0';
	if (*at != ':')
		sscanf(at, "%63[^:]%n", annex, &n);
	at += n;
	if (*at++ != ':' || !dh_gdb_take_hex(&at, &offset) || *at++ != ',' ||
		!dh_gdb_take_hex(&at, &len))
		return GDB_REPLY;
	for (size_t i = 0; i < DH_ARRAY_SIZE(objects); i++) {
		if (strcmp(object, objects[i].name) != 0)
			continue;
		if (objects[i].get(s, annex, &data) < 0)
			dh_buf_adds(&s->reply, "E01");
		else
			add_part(&s->reply, &data, offset, len);
	}
	return GDB_REPLY;
}

/* THREAD,OFFSET,LINK-MAP */
static enum gdb_next on_tls(struct gdb_serve *s, const char *at)
{
	uint64_t tid, offset, link_map, addr;
	struct dh_replay_task *t = NULL;

	if (dh_gdb_take_hex(&at, &tid) && *at++ == ',' && dh_gdb_take_hex(&at, &offset) &&
		*at++ == ',' && dh_gdb_take_hex(&at, &link_map) && tid <= UINT32_MAX)
		t = debug_task(s->r, (uint32_t)tid);
	if (!t)
		dh_buf_adds(&s->reply, "E03");
	else if (debug_tls(s->d, t, link_map, offset, &addr) < 0)
		gdb_error(s, "the thread has no such variable yet");
	else
		dh_buf_addf(&s->reply, "%" PRIx64, addr);
	return GDB_REPLY;
}

/* gdb offers to look up symbols: "::", then VALUE:NAME (no value: there is none). */
static enum gdb_next on_symbol(struct gdb_serve *s, const char *at)
{
	static const char name[] = "_thread_db_link_map_l_tls_modid";
	uint64_t value;

	if (*at++ != ':')
		return GDB_REPLY;
	if (dh_gdb_take_hex(&at, &value))
		s->d->tls_field = value;
	if (strcmp(at, ":") == 0 && !s->d->tls_field) {
		dh_buf_adds(&s->reply, "qSymbol:");
		dh_gdb_add_hex(&s->reply, name, sizeof(name) - 1);
	} else {
		dh_buf_adds(&s->reply, "OK");
	}
	return GDB_REPLY;
}

static void say_event(struct gdb_serve *s, const char *args, struct dh_buf *out)
{
	(void)args;
	dh_buf_addf(out, "next event: %" PRIu64 "\n", s->r->position);
}

static void set_until(struct gdb_serve *s, const char *args, struct dh_buf *out)
{
	char *end;
	unsigned long long n = strtoull(args, &end, 0);

	if (end == args || *end) {
		dh_buf_adds(out, "usage: monitor until EVENT\n");
	} else if (n < s->r->position) {
		dh_buf_addf(out, "event %llu has passed; the next one is %" PRIu64 "\n", n,
			s->r->position);
	} else {
		s->d->until = n;
		dh_buf_addf(out, "'continue' will stop before event %llu\n", n);
	}
}

static void say_help(struct gdb_serve *s, const char *args, struct dh_buf *out);

static const struct {
	const char *name, *help;
	void (*run)(struct gdb_serve *s, const char *args, struct dh_buf *out);
} commands[] = {
	{"event", "the number of the next event of the recording", say_event},
	{"until", "EVENT: let 'continue' stop before this event", set_until},
	{"help", "this list", say_help},
};

static void say_help(struct gdb_serve *s, const char *args, struct dh_buf *out)
{
	(void)s;
	(void)args;
	for (size_t i = 0; i < DH_ARRAY_SIZE(commands); i++)
		dh_buf_addf(out, "monitor %s  %s\n", commands[i].name, commands[i].help);
}

static enum gdb_next on_command(struct gdb_serve *s, const char *at)
{
	DH_BUF struct dh_buf line = DH_BUF_INIT;
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	size_t n;

	if (*at++ != ',' || dh_gdb_take_bytes(at, &line) < 0)
		return GDB_REPLY;
	n = strcspn(dh_buf_str(&line), " ");
	for (size_t i = 0; i < DH_ARRAY_SIZE(commands); i++) {
		const char *name = commands[i].name;

		if (strlen(name) == n && strncmp(name, dh_buf_str(&line), n) == 0)
			commands[i].run(s, dh_buf_str(&line) + n, &out);
	}
	if (!out.len)
		dh_buf_adds(&out, "not a command of deadheat; try 'monitor help'\n");
	dh_gdb_add_hex(&s->reply, out.data, DH_MIN(out.len, (size_t)DH_GDB_PACKET / 4));
	return GDB_REPLY;
}

static const struct {
	const char *begins;
	enum gdb_next (*handle)(struct gdb_serve *s, const char *at);
} queries[] = {
	{"qSupported", on_supported},
	{"QStartNoAckMode", on_no_acks},
	{"QPassSignals:", on_pass_signals},
	{"qXfer:", on_transfer},
	{"qSymbol", on_symbol},
	{"qGetTLSAddr:", on_tls},
	{"qfThreadInfo", on_first_threads},
	{"qsThreadInfo", on_more_threads},
	{"qAttached", on_attached},
	{"qRcmd", on_command},
};

enum gdb_next gdb_query(struct gdb_serve *s, const char *packet)
{
	if (strcmp(packet, "qC") == 0)
		return on_current(s, packet + 2);
	for (size_t i = 0; i < DH_ARRAY_SIZE(queries); i++) {
		size_t n = strlen(queries[i].begins);

		if (strncmp(packet, queries[i].begins, n) == 0)
			return queries[i].handle(s, packet + n);
	}
	return GDB_REPLY;
}
