#include "store/suppress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "model/finding.h"

#define MAX_SIZE ((size_t)16 << 20)
#define KIND(k)  (1u << DH_KIND_##k)
#define RACES                                                                                      \
	(KIND(DATA_RACE) | KIND(ATOMICITY_VIOLATION) | KIND(PROCESS_RACE) | KIND(ORDER_VIOLATION))

enum where {
	WHERE_ANY,    /* every frame of every stack, and the variable */
	WHERE_TOP,    /* the place of the access itself */
	WHERE_MODULE, /* the module of some frame */
};

struct dh_suppression_type {
	const char *name;
	uint32_t kinds;
	enum where where;
};

/* TSan's types first.  It reports threads that nobody joins, which is no kind of finding here:
 * such lines are accepted and never used. */
static const struct dh_suppression_type types[] = {
	{"race", RACES, WHERE_ANY},
	{"race_top", RACES, WHERE_TOP},
	{"mutex", KIND(LOCK_MISUSE) | KIND(BLOCKING_IN_ATOMIC), WHERE_ANY},
	{"thread", 0, WHERE_ANY},
	{"signal", KIND(SIGNAL_RACE), WHERE_ANY},
	{"deadlock", KIND(DEADLOCK), WHERE_ANY},
	{"called_from_lib", RACES, WHERE_MODULE},
	{"data-race", KIND(DATA_RACE), WHERE_ANY},
	{"lock-misuse", KIND(LOCK_MISUSE), WHERE_ANY},
	{"blocking-in-atomic", KIND(BLOCKING_IN_ATOMIC), WHERE_ANY},
	{"atomicity-violation", KIND(ATOMICITY_VIOLATION), WHERE_ANY},
	{"signal-race", KIND(SIGNAL_RACE), WHERE_ANY},
	{"process-race", KIND(PROCESS_RACE), WHERE_ANY},
	{"order-violation", KIND(ORDER_VIOLATION), WHERE_ANY},
};

void dh_suppressions_init(struct dh_suppressions *s)
{
	*s = (struct dh_suppressions){.arena = dh_new(struct dh_arena)};
}

void dh_suppressions_release(struct dh_suppressions *s)
{
	if (s->arena)
		dh_arena_release(s->arena);
	free(s->arena);
	free(s->items);
	*s = (struct dh_suppressions){0};
}

static const struct dh_suppression_type *find_type(const char *name, size_t n)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(types); i++) {
		if (strlen(types[i].name) == n && memcmp(types[i].name, name, n) == 0)
			return &types[i];
	}
	return NULL;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int add_line(struct dh_suppressions *s, const char *name, unsigned number, const char *line,
	size_t n, struct dh_error *err)
{
	const struct dh_suppression_type *type;
	const char *colon;
	char *text;

	while (n && blank(line[n - 1]))
		n--;
	for (; n && blank(*line); n--)
		line++;
	if (!n || *line == '#')
		return 0;
	colon = memchr(line, ':', n);
	type = colon ? find_type(line, (size_t)(colon - line)) : NULL;
	if (!type || colon + 1 == line + n)
		return dh_error_set(err, EBADMSG,
			"%s:%u: '%.*s' is not a suppression: write TYPE:PATTERN, with race, "
			"race_top, mutex, thread, signal, deadlock, called_from_lib or a kind of "
			"finding as the type",
			name, number, (int)DH_MIN(n, (size_t)60), line);
	if (memchr(line, 0, n))
		return dh_error_set(err, EBADMSG, "%s:%u: a NUL byte", name, number);
	text = dh_arena_strndup(s->arena, line, n);
	DH_GROW(s->items, s->n, s->cap);
	s->items[s->n++] = (struct dh_suppression){
		.text = text,
		.file = name,
		.line = number,
		.pattern = text + (colon + 1 - line),
		.type = type,
	};
	return 0;
}

int dh_suppressions_parse(struct dh_suppressions *s, const char *name, const char *text, size_t n,
	struct dh_error *err)
{
	const char *end = text + n;
	size_t before = s->n;
	unsigned number = 0;
	int r = 0;

	name = dh_arena_strdup(s->arena, name);
	while (r == 0 && text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		r = add_line(s, name, ++number, text, (size_t)(stop - text), err);
		text = newline ? newline + 1 : end;
	}
	if (r < 0)
		s->n = before;
	return r;
}

int dh_suppressions_load(struct dh_suppressions *s, const char *path, struct dh_error *err)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	int r = dh_read_file(path, MAX_SIZE, &b, err);

	return r < 0 ? r : dh_suppressions_parse(s, path, dh_buf_str(&b), b.len, err);
}

bool dh_suppression_fits(const char *p, const char *s)
{
	const char *star = NULL, *retry = NULL;

	/* Without an anchor, there is a star at the begin. */
	if (*p == '^') {
		p++;
	} else {
		star = p;
		retry = s;
	}
	/* Linear but for going back to the last star. */
	for (;;) {
		if (*p == '*') {
			star = ++p;
			retry = s;
		} else if (!*p || (*p == '$' && !*s)) {
			return true;
		} else if (*s && *p == *s) {
			p++;
			s++;
		} else if (star && *retry) {
			p = star;
			s = ++retry;
		} else {
			return false;
		}
	}
}

static bool fits(const struct dh_suppression *p, const char *s)
{
	return s && s[0] && dh_suppression_fits(p->pattern, s);
}

static bool fits_frame(const struct dh_suppression *p, const struct dh_frame *f)
{
	if (p->type->where == WHERE_MODULE)
		return fits(p, f->module);
	return fits(p, f->function) || fits(p, f->file) || fits(p, f->module);
}

static bool fits_stack(const struct dh_suppression *p, const struct dh_stack *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (fits_frame(p, &s->frames[i]))
			return true;
	}
	return false;
}

static bool fits_site(const struct dh_suppression *p, const struct dh_site *s)
{
	if (fits_frame(p, &s->at))
		return true;
	return p->type->where != WHERE_TOP &&
	       (fits_stack(p, &s->stack) || fits_stack(p, &s->created));
}

static bool fits_finding(const struct dh_suppression *p, const struct dh_finding *f)
{
	if (!(p->type->kinds >> f->kind & 1))
		return false;
	for (size_t i = 0; i < f->n_sites; i++) {
		if (fits_site(p, &f->sites[i]))
			return true;
	}
	return p->type->where == WHERE_ANY &&
	       (fits(p, f->variable) || fits_stack(p, &f->allocated));
}

bool dh_suppressions_match(struct dh_suppressions *s, const struct dh_finding *f)
{
	bool any = false;

	for (size_t i = 0; i < s->n; i++) {
		if (fits_finding(&s->items[i], f)) {
			s->items[i].hits++;
			any = true;
		}
	}
	return any;
}
