/* Detection (RacePro, section 5.3): for each object the accesses of each process in a list, and for
 * each pair of processes one scan over their lists that never goes back. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "explore/branch.h"
#include "explore/history.h"
#include "explore/race.h"
#include "sysmodel/sysmodel.h"

/* More than anybody can try on one object; what is beyond is counted. */
#define OBJECT_MAX 2000

/* The accesses of one process to one object, of one kind, in order. */
struct list {
	uint32_t process;
	const uint32_t *stores, *loads; /* numbers of accesses */
	uint32_t n_stores, n_loads;
};

struct detector {
	const struct dh_history *h;
	struct dh_races *races;
	struct dh_map pairs; /* calls -> race + 1 */
	size_t before;       /* races that were there before this object */
	enum dh_race_kind kind;
};

static struct dh_race *add(struct detector *d, enum dh_race_kind kind, uint32_t a, uint32_t b)
{
	struct dh_races *r = d->races;

	DH_GROW(r->races, r->n, r->cap);
	r->races[r->n] = (struct dh_race){.kind = kind,
		.calls = {a, b, DH_NO_CALL},
		.n_calls = 2,
		.object = UINT32_MAX,
		.distance = a < b ? b - a : a - b};
	return &r->races[r->n++];
}

static void found(
	struct detector *d, const struct dh_hist_access *a, const struct dh_hist_access *b)
{
	const struct dh_hist_access *first = a->call < b->call ? a : b,
				    *second = first == a ? b : a;
	uint64_t key = (uint64_t)first->call << 32 | second->call, known;
	struct dh_race *r;

	if (dh_map_get(&d->pairs, key, &known)) {
		r = &d->races->races[known - 1];
		/* The object that a person would name: the enumeration has them in that order. */
		if (d->h->objects[a->object].what >= r->what)
			return;
	} else if (d->races->n - d->before >= OBJECT_MAX) {
		d->races->dropped++;
		return;
	} else {
		r = add(d, d->kind, first->call, second->call);
		dh_map_set(&d->pairs, key, d->races->n);
	}
	r->object = a->object;
	r->what = d->h->objects[a->object].what;
	r->sync = a->sync && b->sync;
	r->from = DH_MAX(a->from, b->from);
	r->to = DH_MIN(a->to, b->to);
	if (r->to == UINT64_MAX)
		r->to = r->from;
}

static void scan(struct detector *d, const uint32_t *one, uint32_t n_one, const uint32_t *two,
	uint32_t n_two)
{
	const struct dh_porder *o = &d->h->order;
	uint32_t start = 0;

	for (uint32_t n = 0; n < n_one; n++) {
		const struct dh_hist_access *a = &d->h->accesses[one[n]];

		for (uint32_t m = start; m < n_two; m++) {
			const struct dh_hist_access *b = &d->h->accesses[two[m]];

			if (dh_porder_before(o, a->call, b->call))
				break; /* and so before all that follow */
			if (dh_porder_before(o, b->call, a->call))
				start = m + 1; /* and so before all that are still to come */
			else if (a->from < b->to && b->from < a->to)
				found(d, a, b);
		}
	}
}

static void scan_pair(
	struct detector *d, const struct list *a, const struct list *b, bool stores_commute)
{
	if (!stores_commute)
		scan(d, a->stores, a->n_stores, b->stores, b->n_stores);
	scan(d, a->stores, a->n_stores, b->loads, b->n_loads);
	scan(d, a->loads, a->n_loads, b->stores, b->n_stores);
}

static uint32_t process_of(const struct dh_history *h, uint32_t call)
{
	return h->tasks[h->calls[call].task].process;
}

/* By process, stores first, then in order. */
static int by_list(const void *a, const void *b, void *cookie)
{
	const struct dh_history *h = cookie;
	const struct dh_hist_access *x = &h->accesses[*(const uint32_t *)a];
	const struct dh_hist_access *y = &h->accesses[*(const uint32_t *)b];
	uint32_t p = process_of(h, x->call), q = process_of(h, y->call);

	if (p != q)
		return p < q ? -1 : 1;
	if (x->op != y->op)
		return x->op == DH_HIST_STORE ? -1 : 1;
	return x->call < y->call ? -1 : x->call > y->call;
}

/* Cuts the sorted accesses of an object into lists; the caller frees them. */
static struct list *cut_lists(
	const struct dh_history *h, const uint32_t *accesses, uint32_t n, uint32_t *ret_n)
{
	struct list *lists = NULL;
	uint32_t n_lists = 0, cap = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct dh_hist_access *a = &h->accesses[accesses[i]];
		uint32_t p = process_of(h, a->call);
		struct list *l;

		if (!n_lists || lists[n_lists - 1].process != p) {
			DH_GROW(lists, n_lists, cap);
			lists[n_lists++] = (struct list){.process = p, .stores = &accesses[i]};
		}
		l = &lists[n_lists - 1];
		if (a->op == DH_HIST_STORE)
			l->n_stores++;
		else if (l->n_loads++ == 0)
			l->loads = &accesses[i];
	}
	*ret_n = n_lists;
	return lists;
}

static void detect_object(struct detector *d, uint32_t object, uint32_t *accesses, uint32_t n)
{
	const struct dh_hist_object *o = &d->h->objects[object];
	DH_FREE struct list *lists = NULL;
	uint32_t n_lists;

	qsort_r(accesses, n, sizeof(*accesses), by_list, (void *)(uintptr_t)d->h);
	lists = cut_lists(d->h, accesses, n, &n_lists);
	d->before = d->races->n;
	d->kind = o->what == DH_RACE_STREAM && strcmp(o->aspect, "next bytes") == 0
			  ? DH_RACE_WAKEUP_WAITS
			  : DH_RACE_LOAD_STORE;
	for (uint32_t i = 0; i < n_lists; i++) {
		for (uint32_t k = i + 1; k < n_lists; k++) {
			if (lists[i].n_stores || lists[k].n_stores)
				scan_pair(d, &lists[i], &lists[k], o->commutes);
		}
	}
}

/* Accesses by object: counted, then placed. */
static void detect_objects(struct detector *d)
{
	const struct dh_history *h = d->h;
	DH_FREE uint32_t *first = dh_zalloc((h->n_objects + 2) * sizeof(*first));
	DH_FREE uint32_t *sorted = dh_new_n(uint32_t, h->n_accesses + 1);
	DH_FREE bool *stored = dh_zalloc(h->n_objects + 1);

	for (uint32_t i = 0; i < h->n_accesses; i++) {
		first[h->accesses[i].object + 2]++;
		stored[h->accesses[i].object] |= h->accesses[i].op == DH_HIST_STORE;
	}
	for (uint32_t o = 0; o < h->n_objects; o++)
		first[o + 2] += first[o + 1];
	for (uint32_t i = 0; i < h->n_accesses; i++)
		sorted[first[h->accesses[i].object + 1]++] = i;
	for (uint32_t o = 0; o < h->n_objects; o++) {
		if (stored[o] && !h->objects[o].order_only)
			detect_object(d, o, sorted + first[o], first[o + 1] - first[o]);
	}
}

/* Wait-wakeups on ends of children: a wait for anybody, and another child that it could have got.
 */
static bool waits_for_anybody(const struct dh_ev_call *c)
{
	if (c->nr == SYS_wait4)
		return (int32_t)c->arg[0] <= 0 && c->result > 0;
	return c->nr == SYS_waitid && c->arg[0] == P_ALL && c->result == 0 && c->value;
}

struct child {
	uint32_t parent, end, waited; /* calls; waited: DH_NO_CALL when nobody did */
	uint32_t pid;
};

static int by_parent_and_end(const void *a, const void *b)
{
	const struct child *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

static struct child *list_children(const struct dh_history *h, uint32_t *ret_n)
{
	struct child *list = dh_new_n(struct child, h->n_processes + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < h->n_processes; i++) {
		const struct dh_hist_process *p = &h->processes[i];

		if (p->parent != DH_NO_TASK && p->end != DH_NO_CALL)
			list[n++] = (struct child){p->parent, p->end, DH_NO_CALL, p->pid};
	}
	qsort(list, n, sizeof(*list), by_parent_and_end);
	*ret_n = n;
	return list;
}

static uint32_t find_child(
	const struct child *list, uint32_t n, uint32_t parent, uint32_t pid, uint32_t before)
{
	for (uint32_t i = n; i-- > 0;) {
		if (list[i].parent == parent && list[i].pid == pid && list[i].end < before)
			return i;
	}
	return UINT32_MAX;
}

/* Who looks for children because of SIGCHLD comes behind the end of the one that sent it.  That
 * another one might have is the race of the signal. */
static bool can_turn(const struct dh_porder *o, const struct dh_race *r)
{
	struct dh_branch b;

	if (dh_branch_make(o, r, NULL, 0, &b) < 0)
		return false;
	dh_branch_release(&b);
	return true;
}

static void add_wait(
	struct detector *d, uint32_t wait, const struct child *got, const struct child *other)
{
	const struct dh_porder *o = &d->h->order;
	struct dh_race *r;

	if (other->parent != got->parent || other->waited < wait ||
		dh_porder_before(o, wait, other->end) ||
		!dh_porder_concurrent(o, got->end, other->end))
		return;
	r = add(d, DH_RACE_WAIT_WAKEUPS, wait, got->end);
	r->calls[2] = other->end;
	r->n_calls = 3;
	r->what = DH_RACE_WAIT;
	r->distance = other->end < got->end ? got->end - other->end : other->end - got->end;
	if (!can_turn(o, r))
		d->races->n--;
}

static void detect_waits(struct detector *d)
{
	const struct dh_history *h = d->h;
	uint32_t n;
	DH_FREE struct child *list = list_children(h, &n);

	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t c = 0; c < h->n_calls; c++) {
			const struct dh_ev_call *ev = h->calls[c].ev;
			uint32_t pid =
				(uint32_t)(ev->nr == SYS_waitid ? ev->value : (uint64_t)ev->result);
			uint32_t at;

			if ((ev->nr != SYS_wait4 && ev->nr != SYS_waitid) || ev->result < 0 || !pid)
				continue;
			at = find_child(list, n, process_of(h, c), pid, c);
			if (at == UINT32_MAX)
				continue;
			if (!pass)
				list[at].waited = c;
			for (uint32_t k = 1; pass && waits_for_anybody(ev) && k <= 2; k++) {
				if (at + k < n)
					add_wait(d, c, &list[at], &list[at + k]);
				if (at >= k)
					add_wait(d, c, &list[at], &list[at - k]);
			}
		}
	}
}

static void add_signal(struct detector *d, const struct dh_hist_signal *s, uint32_t call, bool late)
{
	const struct dh_porder *o = &d->h->order;
	struct dh_race *r;

	/* One that comes behind the sender by itself, not only because of the signal, is no race.
	 */
	if (call == DH_NO_CALL || dh_porder_before(o, call, s->sender) ||
		dh_porder_known_before(o, call, o->calls[s->sender].task) >
			o->calls[s->sender].index)
		return;
	/* The end of a child, and the wait that it ends. */
	if (s->sig == SIGCHLD &&
		(d->h->calls[call].ev->nr == SYS_wait4 || d->h->calls[call].ev->nr == SYS_waitid))
		return;
	r = add(d, DH_RACE_SIGNAL, s->sender, call);
	r->what = DH_RACE_SIGNALS;
	r->late = late;
}

/* The call with which the target prepared for the signal, if others could have sent it earlier:
 * before it, the signal did what it does by default. */
static uint32_t preparation(const struct dh_history *h, const struct dh_hist_signal *s)
{
	uint32_t found = DH_NO_CALL;

	for (uint32_t i = s->index; i-- > 0;) {
		uint32_t c = dh_porder_find(&h->order, s->task, i);
		const struct dh_ev_call *ev = h->calls[c].ev;

		if (dh_porder_before(&h->order, c, s->sender) || ev->nr == SYS_execve)
			break;
		if (ev->nr != SYS_rt_sigaction || (int)ev->arg[0] != s->sig || !ev->text[0])
			continue;
		if (strcmp(ev->text, "default") == 0)
			break;
		found = c;
	}
	return found;
}

/* Only a signal ends these, or is what they are. */
static bool needs_signal(const struct dh_ev_call *c)
{
	return c->nr == SYS_pause || c->nr == SYS_rt_sigsuspend || c->nr < 0;
}

/* Many block the signal while they set its handler (bash, perl), which is no call of the recording:
 * the call before that is the last at which it surely still did what it does by default. */
static void add_preparation(struct detector *d, const struct dh_hist_signal *s)
{
	const struct dh_porder *o = &d->h->order;
	uint32_t call = preparation(d->h, s);

	add_signal(d, s, call, true);
	if (call != DH_NO_CALL && o->calls[call].index > 0)
		add_signal(d, s, dh_porder_find(o, s->task, o->calls[call].index - 1), true);
}

/* Signals: earlier, before the call that they interrupted or before their handler was set; or
 * later, after that call, if it ends without them, or the one that followed (section 6.1). */
static void detect_signals(struct detector *d)
{
	const struct dh_history *h = d->h;

	for (uint32_t i = 0; i < h->n_signals; i++) {
		const struct dh_hist_signal *s = &h->signals[i];
		uint32_t at = dh_porder_find(&h->order, s->task, s->index);

		add_preparation(d, s);
		/* One that only this call lets in waits for it, whenever it was sent. */
		if (s->interrupted && !s->blocked)
			add_signal(d, s, at, true);
		if (at != DH_NO_CALL && !needs_signal(h->calls[at].ev))
			add_signal(d, s, at, false);
		if (s->index)
			add_signal(d, s, dh_porder_find(&h->order, s->task, s->index - 1), true);
	}
}

/* Reads that took more than one write. */
static void detect_spans(struct detector *d)
{
	for (uint32_t i = 0; i < d->h->n_spans; i++) {
		const struct dh_hist_span *s = &d->h->spans[i];
		struct dh_race *r;

		if (process_of(d->h, s->wakeup) == process_of(d->h, s->wait))
			continue;
		r = add(d, DH_RACE_WAIT_WAKEUPS, s->wakeup, s->wait);
		r->what = DH_RACE_STREAM;
	}
}

void dh_races_detect(const struct dh_history *h, struct dh_races *ret)
{
	struct detector d = {.h = h, .races = ret};

	*ret = (struct dh_races){0};
	detect_objects(&d);
	detect_waits(&d);
	detect_signals(&d);
	detect_spans(&d);
	dh_map_release(&d.pairs);
}
