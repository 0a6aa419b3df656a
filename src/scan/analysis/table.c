#include "scan/analysis/table.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "scan/analysis/profiles.h"

struct dh_scan_table {
	struct dh_arena arena;
	struct dh_strset names;        /* plain names of calls ... */
	struct dh_scan_rule **by_name; /* ... and their rules, by id */
	size_t n_names;
	struct dh_scan_rule **patterns, **others;
	size_t n_patterns, cap_patterns, n_others, cap_others;
};

static const char *const verbs[DH_SV_COUNT] = {
	[DH_SV_NONE] = "",
	[DH_SV_ACQUIRE] = "acquire",
	[DH_SV_RELEASE] = "release",
	[DH_SV_TRY] = "try",
	[DH_SV_INIT] = "init",
	[DH_SV_DESTROY] = "destroy",
	[DH_SV_HELD] = "held",
	[DH_SV_GUARD] = "guard",
	[DH_SV_UNGUARD] = "unguard",
	[DH_SV_RELOCK] = "relock",
	[DH_SV_UNLOCK] = "unlock",
	[DH_SV_WAIT] = "wait",
	[DH_SV_SIGNAL] = "signal",
	[DH_SV_SEM_WAIT] = "sem-wait",
	[DH_SV_SEM_TRY] = "sem-try",
	[DH_SV_SEM_POST] = "sem-post",
	[DH_SV_SEM_INIT] = "sem-init",
	[DH_SV_BARRIER] = "barrier",
	[DH_SV_CREATE] = "create",
	[DH_SV_START] = "start",
	[DH_SV_JOIN] = "join",
	[DH_SV_SELF] = "self",
	[DH_SV_DETACH] = "detach",
	[DH_SV_ONCE] = "once",
	[DH_SV_HANDLER] = "handler",
	[DH_SV_ASYNC] = "async",
	[DH_SV_CALLS] = "calls",
	[DH_SV_AT_EXIT] = "at-exit",
	[DH_SV_ALLOC] = "alloc",
	[DH_SV_FREE] = "free",
	[DH_SV_EXITS] = "exits",
	[DH_SV_SETS_JUMP] = "sets-jump",
	[DH_SV_JUMPS] = "jumps",
	[DH_SV_THROWS] = "throws",
	[DH_SV_CATCHES] = "catches",
	[DH_SV_SUPPOSES] = "supposes",
	[DH_SV_BLOCKS] = "blocks",
	[DH_SV_ATOMIC] = "atomic",
	[DH_SV_EFFECT] = "effect",
	[DH_SV_LOCK_TYPE] = "lock-type",
	[DH_SV_MASK] = "mask",
	[DH_SV_ALL] = "lock-all",
	[DH_SV_OWNS] = "owns",
	[DH_SV_BENIGN] = "benign",
	[DH_SV_TEAM] = "team",
	[DH_SV_OWN] = "own",
	[DH_SV_CHANNEL] = "channel",
	[DH_SV_SEND] = "send",
	[DH_SV_RECEIVE] = "receive",
	[DH_SV_CLOSES] = "closes",
	[DH_SV_SECTION] = "section",
	[DH_SV_IGNORE] = "ignore",
	[DH_SV_SINGLE] = "single",
	[DH_SV_MULTI] = "multi",
	[DH_SV_INTERRUPT] = "interrupt",
	[DH_SV_SETUP] = "setup",
	[DH_SV_COUNTER] = "counter",
	[DH_SV_SCORE] = "score",
	[DH_SV_LIMIT] = "limit",
	[DH_SV_TRAIT] = "trait",
};

static const struct {
	const char *name;
	uint16_t word;
} words[] = {
	{"spin", DH_SW_SPIN},
	{"block", DH_SW_BLOCK},
	{"read", DH_SW_READ},
	{"all", DH_SW_ALL},
	{"recursive", DH_SW_RECURSIVE},
	{"irq-off", DH_SW_IRQ_OFF},
	{"irq-on", DH_SW_IRQ_ON},
	{"bh-off", DH_SW_BH_OFF},
	{"bh-on", DH_SW_BH_ON},
	{"rob", DH_SW_ROB},
	{"no-order", DH_SW_NO_ORDER},
	{"may-block", DH_SW_MAY_BLOCK},
	{"adopt", DH_SW_ADOPT},
	{"by-address", DH_SW_BYVALUE},
	{"semaphore", DH_SW_SEM},
	{"reader", DH_SW_READER},
	{"maybe", DH_SW_MAYBE},
};

struct dh_scan_table *dh_scan_table_new(void)
{
	struct dh_scan_table *t = dh_new(struct dh_scan_table);

	dh_strset_init(&t->names);
	return t;
}

void dh_scan_table_free(struct dh_scan_table *t)
{
	if (!t)
		return;
	dh_strset_release(&t->names);
	free(t->by_name);
	free(t->patterns);
	free(t->others);
	dh_arena_release(&t->arena);
	free(t);
}

bool dh_scan_glob(const char *pattern, const char *text)
{
	const char *star = NULL, *from = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = pattern++;
			from = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++from;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* "reads=1,2" */
static int parse_mask(const char *s, uint32_t *ret)
{
	uint32_t mask = 0;

	while (*s) {
		char *end;
		long n = strtol(s, &end, 10);

		if (end == s || n < 1 || n > 32 || (*end && *end != ','))
			return -EINVAL;
		mask |= UINT32_C(1) << (n - 1);
		s = *end ? end + 1 : end;
	}
	*ret = mask;
	return mask ? 0 : -EINVAL;
}

static int parse_key(
	struct dh_scan_table *t, struct dh_scan_rule *r, const char *key, const char *val)
{
	char *end;
	uint32_t mask;

	if (!strcmp(key, "reads"))
		return parse_mask(val, &r->reads);
	if (!strcmp(key, "writes"))
		return parse_mask(val, &r->writes);
	if (!strcmp(key, "publishes"))
		return parse_mask(val, &r->publishes);
	if (!strcmp(key, "lock")) {
		r->lock = dh_arena_strdup(&t->arena, val);
		return *val ? 0 : -EINVAL;
	}
	if (!strcmp(key, "hidden")) {
		r->hidden = dh_arena_strdup(&t->arena, val);
		return *val ? 0 : -EINVAL;
	}
	if (!strcmp(key, "returns") || !strcmp(key, "exclusive")) {
		if (parse_mask(val, &mask) < 0 || (mask & (mask - 1)))
			return -EINVAL;
		*(*key == 'r' ? &r->returns : &r->exclusive) = (uint8_t)(__builtin_ctz(mask) + 1);
		return 0;
	}
	if (!strcmp(key, "failure")) {
		r->failure = (int32_t)strtol(val, &end, 0);
		return *val && !*end ? 0 : -EINVAL;
	}
	if (strcmp(key, "success"))
		return -EINVAL;
	if (!strcmp(val, "nonzero")) {
		r->success_nonzero = true;
		return 0;
	}
	r->success = (int32_t)strtol(val, &end, 0);
	return *val && !*end ? 0 : -EINVAL;
}

static int parse_word(struct dh_scan_table *t, struct dh_scan_rule *r, char *word)
{
	char *eq = strchr(word, '='), *end;

	if (eq) {
		*eq = '\0';
		return parse_key(t, r, word, eq + 1);
	}
	if (r->verb == DH_SV_SCORE || r->verb == DH_SV_LIMIT) {
		r->number = strtod(word, &end);
		return *end || end == word ? -EINVAL : 0;
	}
	if (isdigit((unsigned char)*word)) {
		long n = strtol(word, &end, 10);

		if (*end || n > 32 || r->n_args == DH_SCAN_ARGS)
			return -EINVAL;
		r->arg[r->n_args++] = (uint8_t)n;
		return 0;
	}
	for (size_t i = 0; i < DH_ARRAY_SIZE(words); i++)
		if (!strcmp(word, words[i].name)) {
			r->words |= words[i].word;
			return 0;
		}
	return -EINVAL;
}

static bool describes_call(enum dh_scan_verb v)
{
	return v < DH_SV_IGNORE;
}

static void add_rule(struct dh_scan_table *t, struct dh_scan_rule *r)
{
	if (!describes_call(r->verb)) {
		DH_GROW(t->others, t->n_others, t->cap_others);
		t->others[t->n_others++] = r;
		return;
	}
	if (strpbrk(r->name, "*?") && !strstr(r->name, "operator*")) {
		DH_GROW(t->patterns, t->n_patterns, t->cap_patterns);
		t->patterns[t->n_patterns++] = r;
		return;
	}
	uint32_t id = dh_strset_add(&t->names, r->name);

	if (id == t->n_names) {
		t->by_name = dh_reallocarray(t->by_name, ++t->n_names, sizeof(*t->by_name));
	}
	t->by_name[id] = r;
}

static enum dh_scan_verb find_verb(const char *s)
{
	for (int v = 1; v < DH_SV_COUNT; v++)
		if (!strcmp(verbs[v], s))
			return (enum dh_scan_verb)v;
	return DH_SV_NONE;
}

/* How many arguments a verb needs at least. */
static unsigned needs_args(const struct dh_scan_rule *r)
{
	switch (r->verb) {
	case DH_SV_ACQUIRE:
	case DH_SV_RELEASE:
	case DH_SV_TRY:
	case DH_SV_WAIT:
	case DH_SV_BARRIER:
		return r->lock ? 0 : 1;
	case DH_SV_GUARD:
	case DH_SV_ONCE:
	case DH_SV_CREATE:
		return 2;
	case DH_SV_HANDLER:
	case DH_SV_ASYNC:
	case DH_SV_CALLS:
	case DH_SV_AT_EXIT:
	case DH_SV_JOIN:
	case DH_SV_TEAM:
	case DH_SV_SEM_POST:
	case DH_SV_SEM_WAIT:
	case DH_SV_ATOMIC:
	case DH_SV_BENIGN:
	case DH_SV_SEND:
	case DH_SV_RECEIVE:
	case DH_SV_CLOSES:
		return 1;
	default:
		return 0;
	}
}

static int parse_line(
	struct dh_scan_table *t, char *line, const char *source, unsigned no, struct dh_error *err)
{
	char *save = NULL, *verb = strtok_r(line, " \t\r", &save);

	if (!verb || *verb == '#')
		return 0;
	char *name = strtok_r(NULL, " \t\r", &save);
	struct dh_scan_rule *r = dh_arena_alloc(&t->arena, sizeof(*r));

	r->verb = find_verb(verb);
	if (!r->verb)
		return dh_error_set(err, EINVAL,
			"%s:%u: \"%s\" is not a rule; rules are acquire, release, "
			"try, create, join, ... (see deadheat-scan(1))",
			source, no, verb);
	if (!name)
		return dh_error_set(
			err, EINVAL, "%s:%u: %s needs the name of a function", source, no, verb);
	r->name = dh_arena_strdup(&t->arena, name);
	for (char *w; (w = strtok_r(NULL, " \t\r", &save)) && *w != '#';)
		if (parse_word(t, r, w) < 0)
			return dh_error_set(err, EINVAL,
				"%s:%u: \"%s\" does not belong to a rule of %s", source, no, w,
				verb);
	if (r->n_args < needs_args(r))
		return dh_error_set(err, EINVAL,
			"%s:%u: %s %s must say which argument is meant, counted "
			"from 1",
			source, no, verb, name);
	add_rule(t, r);
	return 0;
}

int dh_scan_table_parse(
	struct dh_scan_table *t, const char *source, const char *text, struct dh_error *err)
{
	unsigned no = 0;

	while (*text) {
		size_t len = strcspn(text, "\n");
		char line[512];

		no++;
		if (len >= sizeof(line))
			return dh_error_set(err, EINVAL,
				"%s:%u: the line is longer than %zu characters", source, no,
				sizeof(line) - 1);
		memcpy(line, text, len);
		line[len] = '\0';
		int r = parse_line(t, line, source, no, err);

		if (r < 0)
			return r;
		text += len + (text[len] == '\n');
	}
	return 0;
}

static const struct {
	const char *name;
	const char *const *parts; /* texts, ended by NULL */
} profiles[] = {
	{"pthreads", (const char *const[]){dh_scan_profile_libc, dh_scan_profile_pthreads,
			     dh_scan_profile_cxx, NULL}},
	{"linux", (const char *const[]){dh_scan_profile_linux, NULL}},
	{"glib", (const char *const[]){dh_scan_profile_libc, dh_scan_profile_pthreads,
			 dh_scan_profile_cxx, dh_scan_profile_glib, NULL}},
};

static const char *const profile_names[] = {"pthreads", "linux", "glib", NULL};

const char *const *dh_scan_profile_names(void)
{
	return profile_names;
}

int dh_scan_table_profile(struct dh_scan_table *t, const char *name, struct dh_error *err)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(profiles); i++) {
		if (strcmp(profiles[i].name, name))
			continue;
		for (const char *const *part = profiles[i].parts; *part; part++) {
			int r = dh_scan_table_parse(t, name, *part, err);

			if (r < 0)
				return r;
		}
		return 0;
	}
	return dh_error_set(err, ENOENT,
		"there is no profile \"%s\"; there are pthreads, linux and glib", name);
}

const struct dh_scan_rule *dh_scan_table_find(const struct dh_scan_table *t, const char *name)
{
	int64_t id = dh_strset_find(&t->names, name);

	if (id >= 0)
		return t->by_name[id];
	for (size_t i = t->n_patterns; i-- > 0;)
		if (dh_scan_glob(t->patterns[i]->name, name))
			return t->patterns[i];
	return NULL;
}

static const struct dh_scan_rule *find_other(
	const struct dh_scan_table *t, enum dh_scan_verb verb, const char *name)
{
	for (size_t i = t->n_others; i-- > 0;)
		if (t->others[i]->verb == verb && dh_scan_glob(t->others[i]->name, name))
			return t->others[i];
	return NULL;
}

enum dh_scan_verb dh_scan_table_annotation(const struct dh_scan_table *t, const char *name)
{
	for (size_t i = t->n_others; i-- > 0;) {
		enum dh_scan_verb v = t->others[i]->verb;

		if ((v == DH_SV_SINGLE || v == DH_SV_MULTI || v == DH_SV_INTERRUPT ||
			    v == DH_SV_IGNORE) &&
			dh_scan_glob(t->others[i]->name, name))
			return v;
	}
	return DH_SV_NONE;
}

bool dh_scan_table_is_setup(const struct dh_scan_table *t, const char *name)
{
	return find_other(t, DH_SV_SETUP, name) != NULL;
}

bool dh_scan_table_is_counter(const struct dh_scan_table *t, const char *name)
{
	return find_other(t, DH_SV_COUNTER, name) != NULL;
}

bool dh_scan_table_trait(const struct dh_scan_table *t, const char *name)
{
	return find_other(t, DH_SV_TRAIT, name) != NULL;
}

double dh_scan_table_number(
	const struct dh_scan_table *t, enum dh_scan_verb verb, const char *name, double fallback)
{
	for (size_t i = t->n_others; i-- > 0;)
		if (t->others[i]->verb == verb && !strcmp(t->others[i]->name, name))
			return t->others[i]->number;
	return fallback;
}
