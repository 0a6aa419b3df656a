#include "explore/finding.h"

#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/buf.h"
#include "explore/deeds.h"
#include "explore/history.h"
#include "explore/race.h"
#include "explore/script.h"
#include "model/finding.h"
#include "sysmodel/sysmodel.h"

#define COMMAND_SHOWN 60

static const struct {
	int64_t nr;
	const char *verb;
} verbs[] = {
	{SYS_unlink, "removes"},
	{SYS_unlinkat, "removes"},
	{SYS_rmdir, "removes"},
	{SYS_rename, "renames"},
	{SYS_renameat, "renames"},
	{SYS_renameat2, "renames"},
	{SYS_link, "links"},
	{SYS_linkat, "links"},
	{SYS_symlink, "makes the link"},
	{SYS_symlinkat, "makes the link"},
	{SYS_mkdir, "makes the directory"},
	{SYS_mkdirat, "makes the directory"},
	{SYS_mknod, "makes"},
	{SYS_mknodat, "makes"},
	{SYS_stat, "looks at"},
	{SYS_lstat, "looks at"},
	{SYS_newfstatat, "looks at"},
	{SYS_statx, "looks at"},
	{SYS_fstat, "looks at"},
	{SYS_access, "looks for"},
	{SYS_faccessat, "looks for"},
	{SYS_faccessat2, "looks for"},
	{SYS_readlink, "looks at"},
	{SYS_readlinkat, "looks at"},
	{SYS_chmod, "changes the permissions of"},
	{SYS_fchmod, "changes the permissions of"},
	{SYS_fchmodat, "changes the permissions of"},
	{SYS_chown, "changes the owner of"},
	{SYS_fchown, "changes the owner of"},
	{SYS_fchownat, "changes the owner of"},
	{SYS_utimensat, "sets the times of"},
	{SYS_truncate, "cuts"},
	{SYS_ftruncate, "cuts"},
	{SYS_read, "reads"},
	{SYS_readv, "reads"},
	{SYS_pread64, "reads"},
	{SYS_write, "writes to"},
	{SYS_writev, "writes to"},
	{SYS_pwrite64, "writes to"},
	{SYS_lseek, "seeks in"},
	{SYS_mmap, "maps"},
	{SYS_getdents, "lists"},
	{SYS_getdents64, "lists"},
	{SYS_chdir, "enters"},
	{SYS_execve, "executes"},
	{SYS_execveat, "executes"},
	{SYS_clone, "starts"},
	{SYS_clone3, "starts"},
	{SYS_fork, "starts"},
	{SYS_vfork, "starts"},
	{SYS_exit, "ends"},
	{SYS_exit_group, "ends"},
	{-1, "is killed"},
	{SYS_wait4, "waits for"},
	{SYS_waitid, "waits for"},
	{SYS_kill, "signals"},
	{SYS_tgkill, "signals"},
	{SYS_bind, "binds"},
	{SYS_listen, "listens on"},
	{SYS_connect, "connects to"},
	{SYS_accept, "accepts from"},
	{SYS_accept4, "accepts from"},
	{SYS_sendto, "sends to"},
	{SYS_sendmsg, "sends to"},
	{SYS_recvfrom, "receives from"},
	{SYS_recvmsg, "receives from"},
	{SYS_rt_sigaction, "sets the handler"},
};

static bool copies(const struct dh_ev_call *c)
{
	return c->nr == SYS_sendfile || c->nr == SYS_copy_file_range || c->nr == SYS_splice;
}

static const char *verb_of(const struct dh_history *h, const struct dh_race *r, uint32_t call)
{
	const struct dh_ev_call *c = h->calls[call].ev;

	if (dh_deed_opens(c)) {
		if (!dh_deed_stores(h, r, call))
			return "opens";
		return r->what == DH_RACE_NAME ? "creates" : "empties";
	}
	if (copies(c))
		return dh_deed_stores(h, r, call) ? "copies to" : "copies from";
	for (size_t i = 0; i < DH_ARRAY_SIZE(verbs); i++) {
		if (verbs[i].nr == c->nr)
			return verbs[i].verb;
	}
	return "uses";
}

/* The program without its path, and its arguments as far as there is room. */
static void add_command(const struct dh_history *h, uint32_t call, struct dh_buf *out)
{
	const char *command = dh_history_command(h, call);
	const char *end = strchr(command, ' '), *base = command;
	size_t n;

	for (const char *p = command; *p && p != end; p++) {
		if (*p == '/' && p[1] && p[1] != ' ')
			base = p + 1;
	}
	n = strlen(base);
	dh_buf_addf(out, "`%.*s%s`", (int)DH_MIN(n, (size_t)COMMAND_SHOWN), base,
		n > COMMAND_SHOWN ? "..." : "");
}

static const char *object_name(const struct dh_history *h, const struct dh_race *r, uint32_t call)
{
	const struct dh_ev_ref *ref;

	if (r->object != UINT32_MAX)
		return h->objects[r->object].name;
	ref = dh_ev_call_ref(h->calls[call].ev, DH_REF_FD);
	return ref && ref->path[0] ? ref->path : "";
}

static void add_deed(const struct dh_history *h, const struct dh_race *r, uint32_t call,
	const char *object, struct dh_buf *out)
{
	const char *verb = verb_of(h, r, call);

	if (strcmp(object, "it") == 0 && strncmp(verb, "makes the ", 10) == 0)
		verb = "makes";
	add_command(h, call, out);
	dh_buf_addf(out, " %s", verb);
	if (object[0] && strcmp(verb, "ends") != 0 && strcmp(verb, "is killed") != 0 &&
		strcmp(verb, "starts") != 0)
		dh_buf_addf(out, " %s", object);
}

/* How the signal and the call of its target were to each other. */
static const char *signal_came(const struct dh_history *h, const struct dh_race *r)
{
	const struct dh_porder_call *c = &h->order.calls[r->calls[1]];

	for (uint32_t i = 0; i < h->n_signals; i++) {
		const struct dh_hist_signal *s = &h->signals[i];

		if (s->sender == r->calls[0] && s->task == c->task && s->index == c->index &&
			s->interrupted)
			return "while";
	}
	return r->late ? "after" : "before";
}

void dh_race_title(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out)
{
	if (r->kind == DH_RACE_WAIT_WAKEUPS && r->n_calls == 3) {
		add_command(h, r->calls[0], out);
		dh_buf_adds(out, " waits for any child: ");
		add_command(h, r->calls[1], out);
		dh_buf_adds(out, " or ");
		add_command(h, r->calls[2], out);
		return;
	}
	if (r->kind == DH_RACE_SIGNAL) {
		add_deed(h, r, r->calls[0], "", out);
		dh_buf_addf(out, " %s ", signal_came(h, r));
		add_command(h, r->calls[1], out);
		dh_buf_adds(out, " is in ");
		dh_history_describe(h, r->calls[1], out);
		return;
	}
	add_deed(h, r, r->calls[0], object_name(h, r, r->calls[0]), out);
	dh_buf_adds(out, ", ");
	add_deed(h, r, r->calls[1], r->object == UINT32_MAX ? "" : "it", out);
}

/* What the later call would have met, had it come first. */
static const char *consequence(const struct dh_history *h, const struct dh_race *r)
{
	bool first = dh_deed_stores(h, r, r->calls[0]), second = dh_deed_stores(h, r, r->calls[1]);

	switch (r->what) {
	case DH_RACE_NAME:
		if (first && second)
			return "the name is what the other one leaves";
		if (first)
			return dh_deed_takes_away(h, r, r->calls[0])
				       ? "the second still finds the name"
				       : "the second does not find what the first makes";
		return dh_deed_takes_away(h, r, r->calls[1])
			       ? "the first does not find the name any more"
			       : "the first finds what the second makes";
	case DH_RACE_DATA:
	case DH_RACE_LOG:
		if (first && second)
			return "the other one's bytes stay";
		return first ? "the second reads what was there before"
			     : "the first reads what the second writes";
	case DH_RACE_LIST:
		return "the list has a name more or less";
	case DH_RACE_META:
		return "the attributes are others";
	case DH_RACE_PROCESS:
		return "the process looks different";
	case DH_RACE_WAIT:
		return "the wait returns the other child";
	case DH_RACE_SIGNALS:
		return r->late ? "the signal comes before that call"
			       : "the signal comes only after that call";
	default:
		return "the result may be another one";
	}
}

void dh_race_explain(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out)
{
	dh_buf_addf(out, "recorded in this order, which nothing guarantees; turned around, %s",
		consequence(h, r));
}

static const char *role_of(uint32_t i)
{
	static const char *const roles[DH_RACE_CALLS] = {"first", "second", "third"};

	return roles[i];
}

static void add_site(
	struct dh_finding *f, const struct dh_history *h, const struct dh_race *r, uint32_t i)
{
	uint32_t call = r->calls[i];
	const struct dh_hist_call *c = &h->calls[call];
	const struct dh_hist_process *p = &h->processes[h->tasks[c->task].process];
	const struct dh_sys_desc *d = dh_sysmodel_find(c->ev->nr);
	DH_BUF struct dh_buf who = DH_BUF_INIT, text = DH_BUF_INIT;
	struct dh_site site = {.role = role_of(i)};

	dh_buf_addf(&who, "process %u (", p->pid);
	dh_buf_addf(&who, "%.200s", dh_history_command(h, call));
	if (p->parent != DH_NO_TASK)
		dh_buf_addf(&who, "; child of %u", h->processes[p->parent].pid);
	dh_buf_adds(&who, ")");
	dh_history_describe(h, call, &text);
	site.at.function = d ? d->name : "end";
	site.at.file = dh_history_program(h, call);
	site.who = dh_buf_str(&who);
	site.text = dh_buf_str(&text);
	/* A signal is stored, and loaded by each call of its target (RacePro, section 5.2). */
	site.access.kind = (r->kind == DH_RACE_SIGNAL ? i == 0 : dh_deed_stores(h, r, call))
				   ? DH_ACCESS_WRITE
				   : DH_ACCESS_READ;
	dh_finding_add_site(f, &site);
}

/* Where it is in the script, if that can be told. */
static void add_place(
	struct dh_finding *f, const struct dh_history *h, const struct dh_race *r, uint32_t i)
{
	DH_BUF struct dh_buf place = DH_BUF_INIT;

	if (dh_script_place(h, r, r->calls[i], &place))
		dh_finding_add_reason(f, "%s: %s", role_of(i), dh_buf_str(&place));
}

/* The order of the timeline, as places in the race's calls: as it was recorded, or turned around.
 */
static const uint8_t *order_of(const struct dh_race *r, bool turned)
{
	static const uint8_t straight[] = {0, 1, 2}, crossed[] = {1, 0, 2};
	static const uint8_t other_child[] = {2, 0, 1}, other_wait[] = {0, 2, 1};

	if (turned && r->n_calls == 3)
		return r->kind == DH_RACE_WAIT_WAKEUPS ? other_child : other_wait;
	if (r->kind == DH_RACE_SIGNAL && r->late)
		return turned ? straight : crossed;
	return turned ? crossed : straight;
}

static void add_steps(struct dh_finding *f, const struct dh_race *r, bool turned)
{
	const uint8_t *order = order_of(r, turned);

	for (uint32_t i = 0; i < r->n_calls; i++) {
		const struct dh_site *s = &f->sites[order[i]];

		dh_finding_add_step(f, &(struct dh_step){.lane = s->who,
					       .kind = DH_STEP_SYSCALL,
					       .label = s->text,
					       .site = order[i]});
	}
}

struct dh_finding *dh_race_finding(const struct dh_history *h, const struct dh_race *r, bool turned)
{
	struct dh_finding *f = dh_finding_new(
		r->kind == DH_RACE_SIGNAL ? DH_KIND_SIGNAL_RACE : DH_KIND_PROCESS_RACE);
	DH_BUF struct dh_buf title = DH_BUF_INIT, why = DH_BUF_INIT, advice = DH_BUF_INIT;

	dh_race_title(h, r, &title);
	dh_race_explain(h, r, &why);
	dh_finding_set_title(f, "%s", dh_buf_str(&title));
	if (r->object != UINT32_MAX)
		f->object = dh_finding_strdup(f, h->objects[r->object].name);
	f->score = r->score;
	dh_finding_add_reason(f, "%s", dh_buf_str(&why));
	for (uint32_t i = 0; i < r->n_reasons; i++)
		dh_finding_add_reason(f, "%s", r->reasons[i]);
	for (uint32_t i = 0; i < r->n_calls; i++)
		add_place(f, h, r, i);
	dh_race_advice(h, r, &advice);
	dh_buf_addc(&advice, '.');
	advice.data[0] = (char)toupper((unsigned char)advice.data[0]);
	f->mend = dh_finding_strdup(f, dh_buf_str(&advice));
	for (uint32_t i = 0; i < r->n_calls; i++)
		add_site(f, h, r, i);
	add_steps(f, r, turned);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){
			   .level = DH_LEVEL_PREDICTED, .by = "explore", .when = time(NULL)});
	return f;
}
