#include "fuzz/tsanlog.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/finding.h"
#include "model/findings.h"

#define MAX_LINE     2000
#define MAX_FRAMES   32
#define MAX_SITES    8
#define MAX_THREADS  16
#define MAX_FINDINGS 1000
#define MAX_LOCKS    8

/* What follows WARNING: ThreadSanitizer:, at its beginning. */
static const struct {
	const char *words;
	enum dh_kind kind;
} kinds[] = {
	{"data race", DH_KIND_DATA_RACE},
	{"heap-use-after-free", DH_KIND_DATA_RACE},
	{"lock-order-inversion", DH_KIND_DEADLOCK},
};

struct side {
	struct dh_access access;
	char who[64];
	char lock[24]; /* a cycle: what is waited for */
	char *locks[MAX_LOCKS];
	size_t n_locks;
	long thread; /* its number in the report; 0: the main thread, which nobody created */
	struct dh_stack stack;
};

/* One report, while it is being read. */
struct reading {
	struct dh_arena arena;
	struct dh_findings *found;
	struct dh_tsan_log *count;
	bool inside;
	enum dh_kind kind;
	char *variable;
	struct side side[MAX_SITES];
	size_t n_sides;
	struct dh_stack allocated;
	struct {
		long number;
		struct dh_stack created;
	} thread[MAX_THREADS];
	size_t n_threads;
	struct dh_stack *into; /* where the next frames go; NULL: nowhere */
};

static const char *skip(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 ? s + n : NULL;
}

/* "T12" and what follows it, or "main thread". */
static long thread_number(const char *s)
{
	const char *at = strstr(s, "thread T");

	return at ? strtol(at + 8, NULL, 10) : 0;
}

static struct dh_stack *new_stack(struct reading *r, struct dh_stack *s)
{
	*s = (struct dh_stack){
		.frames = dh_arena_alloc(&r->arena, MAX_FRAMES * sizeof(*s->frames))};
	return s;
}

/* "(mutexes: write M9, read M3)" */
static void read_locks(struct reading *r, const char *line, struct side *s)
{
	const char *at = strstr(line, "(mutexes: ");

	while (at && s->n_locks < MAX_LOCKS && (at = strstr(at, " M"))) {
		size_t n = 1 + strspn(at + 2, "0123456789");

		s->locks[s->n_locks++] = dh_arena_strndup(&r->arena, at + 1, n);
		at += 1 + n;
	}
}

static struct side *new_side(struct reading *r, const char *line)
{
	struct side *s;

	r->into = NULL;
	if (r->n_sides == MAX_SITES)
		return NULL;
	s = &r->side[r->n_sides++];
	*s = (struct side){.thread = thread_number(line)};
	if (s->thread > 0)
		snprintf(s->who, sizeof(s->who), "thread T%ld", s->thread);
	else
		snprintf(s->who, sizeof(s->who), "main thread");
	r->into = new_stack(r, &s->stack);
	return s;
}

/* "  Previous atomic write of size 4 at 0x... by thread T2 (mutexes: write M9):" */
static bool read_access(struct reading *r, const char *line)
{
	const char *at = skip(line, "Previous "), *next;
	struct dh_access a = {0};
	struct side *s;

	at = at ? at : line;
	next = skip(at, "atomic ");
	next = next ? next : skip(at, "Atomic ");
	a.atomic = next != NULL;
	at = next ? next : at;
	a.kind = at[0] == 'W' || at[0] == 'w' ? DH_ACCESS_WRITE : DH_ACCESS_READ;
	if (!at[0] || !strchr("WwRr", at[0]))
		return false;
	next = skip(at + 1, a.kind == DH_ACCESS_WRITE ? "rite of size " : "ead of size ");
	if (!next)
		return false;
	a.size = (uint32_t)DH_MIN(strtoul(next, NULL, 10), 1ul << 20);
	s = new_side(r, next);
	if (s) {
		s->access = a;
		read_locks(r, next, s);
	}
	return true;
}

/* "  Mutex M10 acquired here while holding mutex M9 in thread T1:" */
static bool read_acquired(struct reading *r, const char *line)
{
	const char *lock = skip(line, "Mutex "), *held = strstr(line, "while holding mutex ");
	struct side *s;

	if (!lock || !held || !strstr(line, " acquired here "))
		return false;
	s = new_side(r, held);
	if (!s)
		return true;
	held += strlen("while holding mutex ");
	snprintf(s->lock, sizeof(s->lock), "%.*s", (int)DH_MIN(strcspn(lock, " "), 20u), lock);
	s->locks[s->n_locks++] = dh_arena_strndup(&r->arena, held, strcspn(held, " "));
	return true;
}

/* "  Location is global 'balance' of size 8 at ..." or "... heap block of size 8 at ..." */
static bool read_location(struct reading *r, const char *line)
{
	const char *at = skip(line, "Location is "), *name;

	if (!at)
		return false;
	r->into = NULL;
	name = skip(at, "global '");
	if (name)
		r->variable = dh_arena_strndup(&r->arena, name, strcspn(name, "'"));
	else if (skip(at, "heap block "))
		r->into = new_stack(r, &r->allocated);
	return true;
}

/* "  Thread T2 (tid=3, running) created by main thread at:" */
static bool read_thread(struct reading *r, const char *line)
{
	const char *at = skip(line, "Thread T");

	if (!at || !strstr(at, " created by "))
		return false;
	r->into = NULL;
	if (r->n_threads == MAX_THREADS)
		return true;
	r->thread[r->n_threads].number = strtol(at, NULL, 10);
	r->into = new_stack(r, &r->thread[r->n_threads++].created);
	return true;
}

/* "(module+0x1234)" at the end of a frame; cuts it off. */
static void read_module(struct reading *r, char *frame, struct dh_frame *ret)
{
	char *open = strrchr(frame, '('), *plus, *end;

	if (open && skip(open, "(BuildId: ")) {
		*open = 0;
		open = strrchr(frame, '(');
	}
	plus = open ? strrchr(open, '+') : NULL;
	if (!plus || !skip(plus, "+0x"))
		return;
	ret->offset = strtoull(plus + 1, &end, 16);
	ret->module = dh_arena_strndup(&r->arena, open + 1, (size_t)(plus - open - 1));
	while (open > frame && open[-1] == ' ')
		open--;
	*open = 0;
}

/* "/usr/bin/../include/a.h" is "/usr/include/a.h", as another compiler has it. */
static void collapse(char *path)
{
	char *up;

	while ((up = strstr(path, "/../"))) {
		char *before = up;

		while (before > path && before[-1] != '/')
			before--;
		if (before == path || up - before == 2)
			return;
		memmove(before, up + 4, strlen(up + 4) + 1);
	}
}

/* "/src/a.c:12:3" or "a.c:12" at the end of what is left; cuts it off. */
static void read_place(struct reading *r, char *frame, struct dh_frame *ret)
{
	char *file = strrchr(frame, ' '), *colon;
	unsigned long number[2] = {0};
	size_t n = 0;

	if (!file)
		return;
	*file++ = 0;
	while (n < 2 && (colon = strrchr(file, ':')) && isdigit((unsigned char)colon[1])) {
		number[n++] = strtoul(colon + 1, NULL, 10);
		*colon = 0;
	}
	if (!n || !*file)
		return;
	collapse(file);
	ret->file = dh_arena_strdup(&r->arena, file);
	ret->line = (uint32_t)DH_MIN(number[n - 1], UINT32_MAX);
	ret->column = n == 2 ? (uint32_t)DH_MIN(number[0], UINT32_MAX) : 0;
}

/* "    #0 clerk(void*) /src/a.c:12 (a+0x1234)" */
static bool read_frame(struct reading *r, char *line)
{
	struct dh_frame f = {0};
	char *at = line + 1;

	if (line[0] != '#' || !isdigit((unsigned char)at[0]))
		return false;
	at += strspn(at, "0123456789");
	if (*at++ != ' ' || !r->into || r->into->n == MAX_FRAMES)
		return true;
	read_module(r, at, &f);
	read_place(r, at, &f);
	if (strcmp(at, "<null>") != 0 && *at)
		f.function = dh_arena_strdup(&r->arena, at);
	r->into->frames[r->into->n++] = f;
	return true;
}

/* Functions of the sanitizer's own runtime stand before those that called them. */
static bool is_foreign(const struct dh_frame *f)
{
	return (f->module && strncmp(dh_path_base(f->module), "libtsan", 7) == 0) ||
	       (f->file && (strstr(f->file, "sanitizer_common") || strstr(f->file, "/tsan/")));
}

/* From the statement of the program on: the innermost frame with a line. */
static struct dh_stack own_part(struct dh_stack s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.frames[i].line && !is_foreign(&s.frames[i]))
			return (struct dh_stack){s.frames + i, s.n - i};
	}
	for (size_t i = 0; i < s.n; i++) {
		if (s.frames[i].offset && !is_foreign(&s.frames[i]))
			return (struct dh_stack){s.frames + i, s.n - i};
	}
	return (struct dh_stack){0};
}

static void add_side(struct reading *r, struct dh_finding *f, struct side *s, size_t i)
{
	static const char *const roles[] = {"first", "second"};
	struct dh_site site = {.role = r->kind == DH_KIND_DEADLOCK ? "wants"
				       : i < DH_ARRAY_SIZE(roles)  ? roles[i]
								   : "at",
		.access = s->access,
		.who = s->who,
		.locks = (const char **)s->locks,
		.n_locks = s->n_locks,
		.stack = own_part(s->stack)};
	char order[64];

	site.at = site.stack.frames[0];
	if (s->lock[0]) {
		snprintf(order, sizeof(order), "waits for %s", s->lock);
		site.order = order;
	}
	for (size_t t = 0; s->thread > 0 && t < r->n_threads; t++) {
		if (r->thread[t].number == s->thread)
			site.created = own_part(r->thread[t].created);
	}
	dh_finding_add_site(f, &site);
}

static void set_title(const struct reading *r, struct dh_finding *f)
{
	const char *a = f->sites[0].at.function, *b = f->sites[f->n_sites - 1].at.function;
	DH_BUF struct dh_buf t = DH_BUF_INIT;

	if (r->kind == DH_KIND_DEADLOCK)
		dh_buf_adds(&t, "deadlock over");
	else
		dh_buf_addf(&t, "data race on %s%s%s", r->variable ? "'" : "",
			r->variable      ? r->variable
			: r->allocated.n ? "a heap block"
					 : "memory",
			r->variable ? "'" : "");
	for (size_t i = 0; r->kind == DH_KIND_DEADLOCK && i < r->n_sides; i++)
		dh_buf_addf(&t, "%s %s", i ? "," : "", r->side[i].lock);
	if (a && b && strcmp(a, b) != 0)
		dh_buf_addf(&t, " between %s and %s", a, b);
	else if (a)
		dh_buf_addf(&t, " in %s", a);
	dh_finding_set_title(f, "%s", dh_buf_str(&t));
}

static void add_finding(struct reading *r)
{
	struct dh_finding *f = dh_finding_new(r->kind);

	for (size_t i = 0; i < r->n_sides; i++)
		add_side(r, f, &r->side[i], i);
	f->variable = dh_finding_strdup(f, r->variable);
	dh_stack_copy(&f->arena, &f->allocated, &r->allocated);
	set_title(r, f);
	dh_finding_seal(f);
	dh_finding_add_evidence(
		f, &(struct dh_evidence){.level = r->kind == DH_KIND_DEADLOCK ? DH_LEVEL_PREDICTED
									      : DH_LEVEL_OBSERVED,
			   .by = "tsan"});
	if (dh_findings_find(r->found, f->fingerprint)) {
		dh_finding_free(f);
		return;
	}
	dh_findings_add(r->found, f);
	r->count->taken++;
}

/* The report is over. */
static void finish(struct reading *r)
{
	bool whole = r->n_sides >= 2;

	for (size_t i = 0; i < r->n_sides; i++)
		whole &= own_part(r->side[i].stack).n > 0;
	if (r->inside && whole && r->found->n < MAX_FINDINGS)
		add_finding(r);
	else if (r->inside)
		r->count->damaged++;
	r->inside = false;
	r->variable = NULL;
	r->n_sides = r->n_threads = 0;
	r->allocated = (struct dh_stack){0};
	r->into = NULL;
	dh_arena_release(&r->arena);
}

static void begin(struct reading *r, const char *what)
{
	finish(r);
	r->count->reports++;
	for (size_t i = 0; !r->inside && i < DH_ARRAY_SIZE(kinds); i++) {
		r->inside = skip(what, kinds[i].words) != NULL;
		r->kind = kinds[i].kind;
	}
	r->count->other += !r->inside;
}

static void read_line(struct reading *r, char *line)
{
	const char *what = strstr(line, "WARNING: ThreadSanitizer: ");

	if (what) {
		begin(r, what + strlen("WARNING: ThreadSanitizer: "));
		return;
	}
	if (!r->inside)
		return;
	if (skip(line, "SUMMARY: ThreadSanitizer") || skip(line, "=================")) {
		finish(r);
		return;
	}
	line += strspn(line, " \t");
	if (read_frame(r, line) || read_access(r, line) || read_acquired(r, line) ||
		read_location(r, line) || read_thread(r, line))
		return;
	/* Another section, of which nothing is wanted. */
	if (*line)
		r->into = NULL;
}

void dh_tsan_log_read(
	const char *text, size_t size, struct dh_findings *found, struct dh_tsan_log *ret)
{
	struct reading *r = dh_new(struct reading);
	const char *end = text + size;

	*ret = (struct dh_tsan_log){0};
	r->found = found;
	r->count = ret;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((newline ? newline : end) - text);
		char line[MAX_LINE + 1];

		snprintf(line, sizeof(line), "%.*s", (int)DH_MIN(n, MAX_LINE), text);
		line[strcspn(line, "\r")] = 0;
		read_line(r, line);
		text += n + 1;
	}
	finish(r);
	free(r);
}
