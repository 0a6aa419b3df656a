/* The smallest change that would prevent a race, in words: what is special about the calls decides,
 * the most special case first. */
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/buf.h"
#include "explore/deeds.h"
#include "explore/finding.h"
#include "explore/history.h"
#include "explore/race.h"
#include "explore/script.h"

struct about {
	const struct dh_history *h;
	const struct dh_race *r;
	const struct dh_ev_call *first, *second; /* as recorded */
	const char *name;                        /* of the object, or "" */
	uint32_t ancestor;                       /* of both processes */
};

static uint32_t depth_of(const struct dh_history *h, uint32_t process)
{
	uint32_t n = 0;

	for (; h->processes[process].parent != DH_NO_TASK; process = h->processes[process].parent)
		n++;
	return n;
}

/* The youngest process that both come from. */
static uint32_t common_ancestor(const struct dh_history *h, uint32_t p, uint32_t q)
{
	while (p != q) {
		uint32_t *deeper = depth_of(h, p) >= depth_of(h, q) ? &p : &q;

		*deeper = h->processes[*deeper].parent;
	}
	return p;
}

/* A script does one thing in several processes: what a process belongs to is the oldest of them
 * that is not an ancestor of the other side. */
static uint32_t job_of(const struct about *a, uint32_t process)
{
	const struct dh_hist_process *p = a->h->processes;

	while (process != a->ancestor && p[process].parent != DH_NO_TASK &&
		p[process].parent != a->ancestor)
		process = p[process].parent;
	return process;
}

/* Which calls are meant. */
typedef bool wanted_call(const struct about *a, uint32_t call);

/* More than whether it is there. */
static bool loads(const struct about *a, uint32_t call)
{
	const struct dh_ev_call *c = a->h->calls[call].ev;

	return !dh_deed_stores(a->h, a->r, call) && !dh_deed_looks(c) && !dh_deed_renames(c);
}

static bool changes(const struct about *a, uint32_t call)
{
	return dh_deed_stores(a->h, a->r, call);
}

/* To find out whether it is there, in vain. */
static bool looks(const struct about *a, uint32_t call)
{
	const struct dh_ev_call *c = a->h->calls[call].ev;

	return dh_deed_looks(c) && c->result < 0;
}

static bool makes(const struct about *a, uint32_t call)
{
	const struct dh_ev_call *c = a->h->calls[call].ev;
	const struct dh_ev_ref *path = dh_ev_call_ref(c, DH_REF_PATH);

	if (dh_deed_renames(c) || dh_deed_removes(c))
		return false;
	return dh_deed_stores(a->h, a->r, call) ||
	       (dh_deed_creates(c) && path && strcmp(path->path, a->name) == 0);
}

/* The nearest such call of the same job on the object, in one direction; DH_NO_CALL: none. */
static uint32_t find_own(const struct about *a, uint32_t call, bool later, wanted_call *wanted)
{
	const struct dh_history *h = a->h;
	uint32_t job = job_of(a, dh_deed_process(h, call));

	for (uint32_t c = later ? call + 1 : call - 1; c < h->n_calls;
		c += later ? 1 : UINT32_MAX) {
		const struct dh_hist_call *x = &h->calls[c];

		for (uint32_t i = 0; i < x->n_accesses; i++) {
			if (h->accesses[x->first_access + i].object == a->r->object &&
				wanted(a, c) && job_of(a, dh_deed_process(h, c)) == job)
				return c;
		}
	}
	return DH_NO_CALL;
}

static bool is_command(const char *command, const char *name)
{
	size_t n;
	const char *base = dh_script_program(command, &n);

	return n == strlen(name) && strncmp(base, name, n) == 0;
}

/* Whether an ancestor of both runs that program. */
static bool below(const struct about *a, const char *name)
{
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t p = dh_deed_process(a->h, a->r->calls[i]);
		bool found = false;

		for (; p != DH_NO_TASK && !found; p = a->h->processes[p].parent) {
			const struct dh_hist_process *x = &a->h->processes[p];

			for (uint32_t k = 0; k < x->n_images && !found; k++)
				found = is_command(x->images[k].command, name);
		}
		if (!found)
			return false;
	}
	return true;
}

/* The name is removed in order to be made again, by one process after the other or by one. */
static bool is_replaced(const struct about *a)
{
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t call = a->r->calls[i];
		bool away = dh_deed_takes_away(a->h, a->r, call);

		if (!dh_deed_stores(a->h, a->r, call))
			continue;
		for (uint32_t c = away ? call + 1 : 0; c < (away ? a->h->n_calls : call); c++) {
			if (a->h->calls[c].n_accesses && dh_deed_stores(a->h, a->r, c) &&
				dh_deed_takes_away(a->h, a->r, c) != away &&
				dh_porder_before(&a->h->order, away ? call : c, away ? c : call))
				return true;
		}
	}
	return false;
}

static bool stores(const struct about *a, uint32_t i)
{
	return dh_deed_stores(a->h, a->r, a->r->calls[i]);
}

/* Looked whether it is there, and made it when it was not. */
static bool looked_first(const struct about *a)
{
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t call = a->r->calls[i];

		if (makes(a, call) ? find_own(a, call, false, looks) != DH_NO_CALL
				   : looks(a, call) && find_own(a, call, true, makes) != DH_NO_CALL)
			return true;
	}
	return false;
}

/* Whether a job reads the object and changes it then. */
static bool is_update(const struct about *a)
{
	for (uint32_t i = 0; i < 2; i++) {
		if (find_own(a, a->r->calls[i], !stores(a, i), stores(a, i) ? loads : changes) !=
			DH_NO_CALL)
			return true;
	}
	return false;
}

/* Whether both jobs make it, although of these calls only one does. */
static bool both_make(const struct about *a)
{
	uint32_t user = a->r->calls[stores(a, 0) ? 1 : 0];

	return stores(a, 0) != stores(a, 1) &&
	       (makes(a, user) || find_own(a, user, false, makes) != DH_NO_CALL);
}

/* One makes what the other one uses. */
static void advise_to_wait(const struct about *a, struct dh_buf *out)
{
	uint32_t maker = stores(a, 0) ? 0 : 1;
	const struct dh_ev_call *c = maker ? a->second : a->first;

	if (below(a, "make"))
		dh_buf_addf(out,
			dh_deed_makes_directory(c)
				? "let the target that needs %s have it as an order-only "
				  "prerequisite: 'target: ... | directory'"
				: "let the target that needs %s name what makes it as a "
				  "prerequisite",
			a->name);
	else if (c->nr == SYS_bind)
		dh_buf_addf(out,
			"let clients try again until %s is there, or tell them when the "
			"server listens",
			a->name);
	else if (dh_deed_makes_directory(c))
		dh_buf_addf(out,
			"use %s only when whoever makes it is done ('wait PID' in a shell), or "
			"let both make it with 'mkdir -p'",
			a->name);
	else
		dh_buf_addf(out,
			"use %s only when whoever makes it is done: wait for that process "
			"('wait PID' in a shell), or make it under another name and rename it "
			"when it is whole",
			a->name);
}

static void advise_both_make(const struct about *a, struct dh_buf *out)
{
	if (dh_deed_makes_directory(a->first) && dh_deed_makes_directory(a->second))
		dh_buf_addf(out,
			"take %s as it is when it is there already: 'mkdir -p', or EEXIST from "
			"mkdir(2)",
			a->name);
	else if (dh_deed_renames(a->first) && dh_deed_renames(a->second))
		dh_buf_addf(out,
			"both replace %s, and the last one wins: hold a lock (flock on another "
			"file) from reading the old one until the new one is in its place",
			a->name);
	else if (a->first->nr == SYS_bind || a->second->nr == SYS_bind)
		dh_buf_addf(out,
			"bind a name of its own and rename it to %s, instead of removing the "
			"other server's",
			a->name);
	else if (strncmp(a->name, "/tmp/", 5) == 0 || strncmp(a->name, "/var/tmp/", 9) == 0)
		dh_buf_addf(out,
			"a temporary file of its own for each: mktemp(1) or mkstemp(3) "
			"instead of %s",
			a->name);
	else
		dh_buf_addf(out,
			"let only one of them make %s: create it with O_EXCL ('set -C' in a "
			"shell) and give up or wait when it exists, or hold a lock (flock) "
			"around both",
			a->name);
}

static void advise_name(const struct about *a, struct dh_buf *out)
{
	bool removes = dh_deed_takes_away(a->h, a->r, a->r->calls[0]) ||
		       dh_deed_takes_away(a->h, a->r, a->r->calls[1]);

	if (is_replaced(a))
		dh_buf_addf(out,
			"do not remove the old file first: renaming the new one over %s (mv, "
			"rename(2)) replaces it in one step, so that it is never missing",
			a->name);
	else if (below(a, "make") && !removes && stores(a, 0) != stores(a, 1))
		advise_to_wait(a, out);
	else if (looked_first(a))
		dh_buf_addf(out,
			"do not look first whether %s is there: make it in one step that fails "
			"when it is (O_CREAT|O_EXCL, 'set -C' or mkdir in a shell), and go by that",
			a->name);
	else if (both_make(a))
		dh_buf_addf(out,
			"both use %s for themselves: give each a file of its own (mktemp(1), "
			"mkstemp(3))",
			a->name);
	else if (!removes && is_update(a))
		dh_buf_addf(out,
			"hold a lock (flock on another file) from reading %s until the new one is "
			"in its place",
			a->name);
	else if (removes && !(stores(a, 0) && stores(a, 1)))
		dh_buf_addf(out,
			"remove %s only when nobody needs it any more (wait for the one that "
			"uses it), or let that one cope with ENOENT",
			a->name);
	else if (stores(a, 0) && stores(a, 1))
		advise_both_make(a, out);
	else
		advise_to_wait(a, out);
}

static void advise_data(const struct about *a, struct dh_buf *out)
{
	if (is_update(a))
		dh_buf_addf(out,
			"hold a lock (flock(1), flock(2)) from reading %s until it is rewritten",
			a->name);
	else if (stores(a, 0) && stores(a, 1))
		dh_buf_addf(out,
			"open %s for appending (O_APPEND, '>>') in both, or give each a file of "
			"its own",
			a->name);
	else if (dh_deed_truncates(a->first) || dh_deed_truncates(a->second))
		dh_buf_addf(out,
			"do not empty %s in place: write a new file and rename it over, so that "
			"readers see the old one or the new one as a whole",
			a->name);
	else
		dh_buf_addf(out,
			"let the reader of %s wait for the writer, or write a new file and rename "
			"it over when it is whole",
			a->name);
}

static bool changes_mode(const struct dh_ev_call *c)
{
	return c->nr == SYS_chmod || c->nr == SYS_fchmod || c->nr == SYS_fchmodat;
}

static void advise_meta(const struct about *a, struct dh_buf *out)
{
	if (changes_mode(a->first) || changes_mode(a->second))
		dh_buf_addf(out,
			"create %s with the permissions that it is to have (umask, 'install -m', "
			"the mode of open(2)) instead of changing them afterwards",
			a->name);
	else
		dh_buf_addf(out,
			"finish %s under another name, with size, owner and times, and rename it "
			"into its place",
			a->name);
}

static void advise_process(const struct about *a, struct dh_buf *out)
{
	(void)a;
	dh_buf_adds(out,
		"do not conclude from a list of processes that changes meanwhile: ask for the one "
		"that is meant (a pid that is known, a pidfd, or a pattern that does not match "
		"itself: grep '[x]yz')");
}

static void advise_list(const struct about *a, struct dh_buf *out)
{
	if (strcmp(a->name, "/proc") == 0)
		advise_process(a, out);
	else
		dh_buf_addf(out,
			"list %s when nobody changes it, or take each name for one that may be "
			"gone or half made",
			a->name);
}

static void advise_global(const struct about *a, struct dh_buf *out)
{
	dh_buf_addf(out,
		"let only one process change %s, before the others look at it, or hold a lock "
		"(flock) "
		"around both",
		a->name);
}

static void advise_signal(const struct about *a, struct dh_buf *out)
{
	if (a->second->nr == SYS_rt_sigaction)
		dh_buf_adds(out,
			"set the handler (trap, sigaction) before the sender is started, or block "
			"the signal with sigprocmask before the fork until it is set");
	else if (a->first->nr == SYS_exit_group || a->first->nr == SYS_exit)
		dh_buf_adds(out,
			"block SIGCHLD with sigprocmask before the fork, until the child is "
			"written down, and wait with sigsuspend or ppoll");
	else
		dh_buf_adds(out,
			"block the signal while it would be lost or strike too early, and wait "
			"for it with sigsuspend, ppoll or signalfd instead of pause or sleep");
}

void dh_race_advice(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out)
{
	struct about a = {.h = h,
		.r = r,
		.first = h->calls[r->calls[0]].ev,
		.second = h->calls[r->calls[1]].ev,
		.name = r->object == UINT32_MAX ? "" : h->objects[r->object].name,
		.ancestor = common_ancestor(
			h, dh_deed_process(h, r->calls[0]), dh_deed_process(h, r->calls[1]))};
	static void (*const how[DH_RACE_WHAT_COUNT])(const struct about *, struct dh_buf *) = {
		[DH_RACE_NAME] = advise_name,
		[DH_RACE_DATA] = advise_data,
		[DH_RACE_LOG] = advise_data,
		[DH_RACE_META] = advise_meta,
		[DH_RACE_LIST] = advise_list,
		[DH_RACE_PROCESS] = advise_process,
		[DH_RACE_SIGNALS] = advise_signal,
		[DH_RACE_GLOBAL] = advise_global,
	};
	static const char *const words[DH_RACE_WHAT_COUNT] = {
		[DH_RACE_WAIT] = "wait for the process that is meant: 'wait PID' in a shell, "
				 "waitpid(pid) in a program",
		[DH_RACE_OFFSET] = "let each process open the file itself, or open it for "
				   "appending, instead of sharing one position",
		[DH_RACE_STREAM] = "read until the whole message is there, and give each reader "
				   "and each writer a stream of its own",
		[DH_RACE_TTY] = "collect what each process says and write it in one piece, or let "
				"one process do all output",
	};

	if (how[r->what])
		how[r->what](&a, out);
	else
		dh_buf_adds(out, words[r->what]);
}
