/* Ranking: which races to try first, with the reasons in words (RacePro, end of section 5.3.1, and
 * what names and files tell). */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "explore/history.h"
#include "explore/race.h"

static const struct {
	double score;
	const char *reason;
} places[DH_RACE_WHAT_COUNT] = {
	[DH_RACE_NAME] = {6, "a name that is created, removed or replaced"},
	[DH_RACE_LIST] = {3.5, "a directory that is listed while names in it change"},
	[DH_RACE_DATA] = {5, "the same bytes of a file"},
	[DH_RACE_META] = {2, "attributes of a file"},
	[DH_RACE_OFFSET] = {3, "the position of an open file that both inherited"},
	[DH_RACE_STREAM] = {2.5, "the order of bytes in a stream"},
	[DH_RACE_TTY] = {0, "output on a terminal"},
	[DH_RACE_LOG] = {0.5, "a file that is only appended to"},
	[DH_RACE_PROCESS] = {3.5, "what one process sees of another one"},
	[DH_RACE_WAIT] = {2, "a wait that any of several children could have ended"},
	[DH_RACE_SIGNALS] = {4, "a signal that could have come at another moment"},
	[DH_RACE_GLOBAL] = {3, "something that the whole system shares"},
};

static bool ends_with(const char *s, const char *tail)
{
	size_t n = strlen(s), m = strlen(tail);

	return n >= m && strcmp(s + n - m, tail) == 0;
}

/* Files in which programs keep what they must not lose. */
static bool is_state(const char *path)
{
	static const char *const tails[] = {".pid", ".lock", ".lck", ".db", ".sqlite", ".sqlite3",
		".conf", ".cfg", ".ini", ".json", ".state", ".cache", ".cnt", "history", "passwd",
		"shadow", "group", "-journal", "index"};
	static const char *const roots[] = {
		"/etc/", "/run/", "/var/lib/", "/var/run/", "/var/cache/"};

	for (size_t i = 0; i < DH_ARRAY_SIZE(tails); i++) {
		if (ends_with(path, tails[i]))
			return true;
	}
	for (size_t i = 0; i < DH_ARRAY_SIZE(roots); i++) {
		if (strncmp(path, roots[i], strlen(roots[i])) == 0)
			return true;
	}
	return false;
}

static void reason(struct dh_history *h, struct dh_race *r, double score, const char *text)
{
	r->score += score;
	if (r->n_reasons < DH_RACE_REASONS)
		r->reasons[r->n_reasons++] = dh_arena_strdup(&h->arena, text);
}

static bool missed(const struct dh_ev_call *c)
{
	return c->result == -ENOENT || c->result == -EEXIST || c->result == -EACCES ||
	       c->result == -ESRCH || c->result == -ECONNREFUSED;
}

/* Files whose every writer appends. */
static bool *find_logs(const struct dh_history *h)
{
	bool *log = dh_zalloc(h->n_objects + 1);

	for (uint32_t i = 0; i < h->n_accesses; i++) {
		const struct dh_hist_access *a = &h->accesses[i];

		if (a->op == DH_HIST_STORE && h->objects[a->object].what == DH_RACE_DATA)
			log[a->object] = true;
	}
	for (uint32_t i = 0; i < h->n_accesses; i++) {
		const struct dh_hist_access *a = &h->accesses[i];

		/* Who reads it takes it for more than a log. */
		if (h->objects[a->object].what == DH_RACE_DATA &&
			(a->op == DH_HIST_LOAD || !a->sync))
			log[a->object] = false;
	}
	return log;
}

static void score_meta(struct dh_history *h, struct dh_race *r)
{
	const char *aspect = h->objects[r->object].aspect;

	if (strcmp(aspect, "permissions") == 0 || strcmp(aspect, "owner") == 0)
		reason(h, r, 2.5, "permissions decide whether the other call succeeds");
	else if (strcmp(aspect, "times") == 0)
		reason(h, r, -0.5, "only times differ");
}

static bool is_end(const struct dh_ev_call *c)
{
	return c->nr == SYS_exit || c->nr == SYS_exit_group || c->nr < 0;
}

static bool executes(const struct dh_ev_call *c)
{
	return c->nr == SYS_execve || c->nr == SYS_execveat;
}

static bool starts(const struct dh_ev_call *c)
{
	return c->nr == SYS_clone || c->nr == SYS_clone3 || c->nr == SYS_fork || c->nr == SYS_vfork;
}

static bool read_nothing(const struct dh_ev_call *c)
{
	return (c->nr == SYS_read || c->nr == SYS_pread64) && c->result <= 0;
}

static void score_process(struct dh_history *h, struct dh_race *r, const struct dh_ev_call *a,
	const struct dh_ev_call *b)
{
	if (strcmp(h->objects[r->object].aspect, DH_ASPECT_SHOWN) == 0 &&
		(executes(a) || executes(b)))
		reason(h, r, 1.5, "what a process runs is read while that changes");
	if (starts(a))
		reason(h, r, -1.5, "who looks for a process mostly knows that it is there");
	if (read_nothing(a) || read_nothing(b))
		reason(h, r, -1, "nothing was read");
}

static void score(struct dh_history *h, struct dh_race *r)
{
	const struct dh_hist_call *a = &h->calls[r->calls[0]], *b = &h->calls[r->calls[1]];
	const char *one = dh_history_command(h, r->calls[0]),
		   *two = dh_history_command(h, r->calls[1]);
	char text[64];

	r->score = 0;
	r->n_reasons = 0;
	reason(h, r, places[r->what].score, places[r->what].reason);
	if (r->object != UINT32_MAX && is_state(h->objects[r->object].name) &&
		r->what != DH_RACE_META)
		reason(h, r, 1.5, "looks like a file that keeps state");
	if (r->what == DH_RACE_META)
		score_meta(h, r);
	if (r->what == DH_RACE_PROCESS && r->object != UINT32_MAX)
		score_process(h, r, a->ev, b->ev);
	if (r->kind == DH_RACE_SIGNAL && is_end(a->ev))
		reason(h, r, -1.5, "the signal only says that a child has ended");
	/* What /proc lacks it mostly lacks always. */
	if (r->what != DH_RACE_PROCESS && (missed(a->ev) || missed(b->ev)))
		reason(h, r, 0.5, "one of the calls failed in this very order");
	if (strcmp(one, two) != 0)
		reason(h, r, 0.5, "two different programs");
	if (r->sync)
		reason(h, r, -5, "both calls are made for being raced: only one can succeed");
	snprintf(text, sizeof(text), "%u calls apart", r->distance);
	reason(h, r, 2 / (1 + log2(1 + r->distance) / 2), text);
}

static int by_score(const void *x, const void *y)
{
	const struct dh_race *a = x, *b = y;

	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	if (a->calls[0] != b->calls[0])
		return a->calls[0] < b->calls[0] ? -1 : 1;
	return a->calls[1] < b->calls[1] ? -1 : a->calls[1] > b->calls[1];
}

/* Of many pairs on one object between the same two processes the best one comes early, the others
 * when everything else had its turn. */
static void spread(const struct dh_history *h, struct dh_races *r)
{
	struct dh_map seen = DH_MAP_INIT;

	for (size_t i = 0; i < r->n; i++) {
		struct dh_race *race = &r->races[i];
		uint32_t id[] = {race->object, h->tasks[h->calls[race->calls[0]].task].process,
			h->tasks[h->calls[race->calls[1]].task].process};
		uint64_t key = XXH3_64bits(id, sizeof(id)), n = 0;

		dh_map_get(&seen, key, &n);
		dh_map_set(&seen, key, n + 1);
		race->score -= DH_MIN(3.0, 0.5 * (double)n);
	}
	dh_map_release(&seen);
}

void dh_races_rank(struct dh_history *h, struct dh_races *r, unsigned skip, bool all)
{
	DH_FREE bool *log = find_logs(h);
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct dh_race *race = &r->races[i];

		if (race->object != UINT32_MAX && log[race->object])
			race->what = DH_RACE_LOG;
		if ((skip & 1u << race->what) ||
			(!all && (race->sync || race->what == DH_RACE_TTY)))
			continue;
		score(h, race);
		r->races[kept++] = *race;
	}
	r->n = kept;
	qsort(r->races, r->n, sizeof(*r->races), by_score);
	spread(h, r);
	qsort(r->races, r->n, sizeof(*r->races), by_score);
}
