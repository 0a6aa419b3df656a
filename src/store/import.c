#include "store/import.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/error.h"
#include "model/finding.h"
#include "model/findings.h"

#define SCHEMA "deadheat-findings/1"

/* The finding at hand, and the first thing that was wrong with it. */
struct import {
	struct dh_finding *f;
	const char *in; /* "site", "step", ... : what the words of an error begin with */
	size_t at;
	bool failed;
	struct dh_error *err;
};

static void complain(struct import *im, const char *key, const char *wanted)
{
	if (!im->failed)
		dh_error_set(
			im->err, EBADMSG, "%s %zu: \"%s\" is not %s", im->in, im->at, key, wanted);
	im->failed = true;
}

static const char *get_string(struct import *im, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!v || json_is_null(v))
		return NULL;
	if (json_is_string(v))
		return dh_finding_strdup(im->f, json_string_value(v));
	complain(im, key, "a string");
	return NULL;
}

static int64_t get_int(
	struct import *im, const json_t *o, const char *key, int64_t min, int64_t max)
{
	const json_t *v = json_object_get(o, key);

	if (!v || json_is_null(v))
		return 0;
	if (json_is_integer(v) && json_integer_value(v) >= min && json_integer_value(v) <= max)
		return json_integer_value(v);
	complain(im, key, "a number in its range");
	return 0;
}

static bool get_bool(struct import *im, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (v && !json_is_null(v) && !json_is_boolean(v))
		complain(im, key, "true or false");
	return json_is_true(v);
}

/* NULL and no complaint when it is absent. */
static const json_t *get_array(struct import *im, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	if (!v || json_is_null(v))
		return NULL;
	if (json_is_array(v))
		return v;
	complain(im, key, "an array");
	return NULL;
}

/* The index of the name, or fallback when it is absent. */
static int get_name(struct import *im, const json_t *o, const char *key,
	int (*parse)(const char *name), int fallback)
{
	const char *s = get_string(im, o, key);
	int i = s ? parse(s) : fallback;

	if (i >= 0)
		return i;
	complain(im, key, "a name that is known");
	return fallback;
}

/* As the reports write it: "2026-01-31T12:00:00Z". */
static int64_t get_time(struct import *im, const json_t *o, const char *key)
{
	const char *s = get_string(im, o, key), *end;
	struct tm tm = {0};

	if (!s)
		return 0;
	end = strptime(s, "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (!end || *end)
		complain(im, key, "a time like 2026-01-31T12:00:00Z");
	return (int64_t)timegm(&tm);
}

/* 64-bit values are text, since numbers in JSON may be shorter. */
static uint64_t get_value(struct import *im, const json_t *o, const char *key)
{
	const char *s = get_string(im, o, key);
	char *end;
	uint64_t v;

	if (!s)
		return 0;
	errno = 0;
	v = strtoull(s, &end, 10);
	if (s[0] < '0' || s[0] > '9' || *end || errno)
		complain(im, key, "a number as text");
	return v;
}

static void get_frame(struct import *im, const json_t *o, struct dh_frame *ret)
{
	*ret = (struct dh_frame){
		.function = get_string(im, o, "function"),
		.file = get_string(im, o, "file"),
		.line = (uint32_t)get_int(im, o, "line", 0, UINT32_MAX),
		.column = (uint32_t)get_int(im, o, "column", 0, UINT32_MAX),
		.module = get_string(im, o, "module"),
		.build_id = get_string(im, o, "build_id"),
		.offset = (uint64_t)get_int(im, o, "offset", 0, INT64_MAX),
		.inlined = get_bool(im, o, "inlined"),
	};
}

static void get_stack(struct import *im, const json_t *o, const char *key, struct dh_stack *ret)
{
	const json_t *a = get_array(im, o, key);

	*ret = (struct dh_stack){.n = json_array_size(a)};
	if (ret->n)
		ret->frames = dh_arena_alloc(&im->f->arena, ret->n * sizeof(*ret->frames));
	for (size_t i = 0; i < ret->n; i++) {
		if (!json_is_object(json_array_get(a, i)))
			complain(im, key, "an array of objects");
		get_frame(im, json_array_get(a, i), &ret->frames[i]);
	}
}

static void get_strings(
	struct import *im, const json_t *o, const char *key, const char ***ret, size_t *ret_n)
{
	const json_t *a = get_array(im, o, key);
	size_t n = json_array_size(a);

	*ret = n ? dh_arena_alloc(&im->f->arena, n * sizeof(**ret)) : NULL;
	*ret_n = n;
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_array_get(a, i);

		if (!json_is_string(v))
			complain(im, key, "an array of strings");
		(*ret)[i] = json_is_string(v) ? json_string_value(v) : "";
	}
}

static void add_site(struct import *im, const json_t *o)
{
	struct dh_site s = {
		.role = get_string(im, o, "role"),
		.text = get_string(im, o, "text"),
		.who = get_string(im, o, "who"),
		.order = get_string(im, o, "order"),
		.access =
			{
				.kind = (enum dh_access_kind)get_name(
					im, o, "access", dh_access_kind_parse, DH_ACCESS_NONE),
				.size = (uint32_t)get_int(im, o, "size", 0, UINT32_MAX),
				.atomic = get_bool(im, o, "atomic"),
				.has_values = json_is_string(json_object_get(o, "before")) &&
					      json_is_string(json_object_get(o, "after")),
				.before = get_value(im, o, "before"),
				.after = get_value(im, o, "after"),
			},
	};

	get_frame(im, o, &s.at);
	get_strings(im, o, "locks", &s.locks, &s.n_locks);
	get_stack(im, o, "stack", &s.stack);
	get_stack(im, o, "created", &s.created);
	dh_finding_add_site(im->f, &s);
}

static void add_step(struct import *im, const json_t *o)
{
	const json_t *site = json_object_get(o, "site");
	struct dh_step s = {
		.lane = get_string(im, o, "lane"),
		.kind = (enum dh_step_kind)get_name(
			im, o, "kind", dh_step_kind_parse, DH_STEP_ACCESS),
		.label = get_string(im, o, "label"),
		.file = get_string(im, o, "file"),
		.line = (uint32_t)get_int(im, o, "line", 0, UINT32_MAX),
		.site = -1,
	};

	if (site && !json_is_null(site))
		s.site = (int)get_int(
			im, o, "site", 0, (int64_t)DH_MIN(im->f->n_sites, (size_t)INT_MAX) - 1);
	dh_finding_add_step(im->f, &s);
}

static const char *get_budget(struct import *im, const json_t *o)
{
	const json_t *v = json_object_get(o, "budget");
	const char *copy;
	char *text;

	if (!json_is_object(v))
		return get_string(im, o, "budget");
	text = json_dumps(v, JSON_COMPACT | JSON_SORT_KEYS);
	copy = dh_finding_strdup(im->f, text);
	free(text);
	return copy;
}

static void add_evidence(struct import *im, const json_t *o)
{
	struct dh_evidence e = {
		.level =
			(enum dh_level)get_name(im, o, "level", dh_level_parse, DH_LEVEL_PREDICTED),
		.by = get_string(im, o, "by"),
		.when = get_time(im, o, "when"),
		.last = get_time(im, o, "last"),
		.budget = get_budget(im, o),
		.tries = (uint64_t)get_int(im, o, "tries", 0, INT64_MAX),
		.hits = (uint64_t)get_int(im, o, "hits", 0, INT64_MAX),
		.reproduce = get_string(im, o, "reproduce"),
		.note = get_string(im, o, "note"),
	};

	if (!e.by || !e.by[0])
		complain(im, "by", "the name of who said so");
	else if (dh_finding_add_evidence(im->f, &e) < 0)
		complain(im, "reproduce", "a command, which evidence from confirmed up must have");
}

static void add_each(struct import *im, const json_t *o, const char *key, const char *name,
	void (*add)(struct import *im, const json_t *o))
{
	struct import inner = *im;
	const json_t *a = get_array(im, o, key);

	inner.in = name;
	for (size_t i = 0; i < json_array_size(a) && !im->failed; i++) {
		inner.at = i;
		if (!json_is_object(json_array_get(a, i))) {
			complain(im, key, "an array of objects");
			return;
		}
		add(&inner, json_array_get(a, i));
		if (inner.failed) {
			dh_error_prefix(im->err, -EBADMSG, "%s %zu", im->in, im->at);
			im->failed = true;
		}
	}
}

static void get_failure(struct import *im, const json_t *o)
{
	const json_t *v = json_object_get(o, "failure");

	if (!v || json_is_null(v))
		return;
	if (!json_is_object(v)) {
		complain(im, "failure", "an object");
		return;
	}
	im->f->failure = (struct dh_failure){
		.what = get_string(im, v, "what"),
		.detail = get_string(im, v, "detail"),
		.status = (int)get_int(im, v, "status", INT_MIN, INT_MAX),
	};
}

static void get_score(struct import *im, const json_t *o)
{
	const json_t *v = json_object_get(o, "score");

	if (!v || json_is_null(v))
		return;
	if (!json_is_number(v) || !isfinite(json_number_value(v)))
		complain(im, "score", "a number");
	else
		im->f->score = json_number_value(v);
}

/* A fingerprint that is given is kept: whoever made it knew more than the document says. */
static void get_fingerprint(struct import *im, const json_t *o)
{
	const char *s = get_string(im, o, "fingerprint");

	if (!s) {
		dh_finding_seal(im->f);
		return;
	}
	if (strlen(s) != 32 || strspn(s, "0123456789abcdef") != 32) {
		complain(im, "fingerprint", "32 hex digits");
		return;
	}
	memcpy(im->f->fingerprint, s, 33);
	dh_finding_name(im->f);
}

static void get_finding(struct import *im, const json_t *o)
{
	struct dh_finding *f = im->f;
	const char **reasons;
	size_t n;

	f->kind = (enum dh_kind)get_name(im, o, "kind", dh_kind_parse, -1);
	f->title = get_string(im, o, "title");
	f->variable = get_string(im, o, "variable");
	f->object = get_string(im, o, "object");
	f->schedule = get_string(im, o, "schedule");
	f->mend = get_string(im, o, "mend");
	get_score(im, o);
	get_failure(im, o);
	get_stack(im, o, "allocated", &f->allocated);
	get_strings(im, o, "reasons", &reasons, &n);
	for (size_t i = 0; i < n; i++)
		dh_finding_add_reason(f, "%s", reasons[i]);
	add_each(im, o, "sites", "site", add_site);
	add_each(im, o, "steps", "step", add_step);
	add_each(im, o, "evidence", "evidence", add_evidence);
	if (!f->n_evidence)
		complain(im, "evidence", "an array with at least one entry");
	if (!im->failed)
		get_fingerprint(im, o);
}

static int import_findings(const json_t *list, struct dh_findings *ret, struct dh_error *err)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct import im = {.f = dh_finding_new(DH_KIND_DATA_RACE),
			.in = "finding",
			.at = i,
			.err = err};

		dh_findings_add(ret, im.f);
		if (json_is_object(json_array_get(list, i)))
			get_finding(&im, json_array_get(list, i));
		else
			complain(&im, "findings", "an array of objects");
		if (im.failed)
			return -EBADMSG;
	}
	return 0;
}

static int check_document(const json_t *root, struct dh_error *err)
{
	const char *schema = json_string_value(json_object_get(root, "schema"));

	if (!schema || strncmp(schema, "deadheat-findings/", 18) != 0)
		return dh_error_set(err, EBADMSG,
			"not a document of findings: its \"schema\" is not \"" SCHEMA "\"");
	if (strcmp(schema, SCHEMA) != 0)
		return dh_error_set(err, EPROTO,
			"\"schema\" is \"%.40s\", but this deadheat reads \"" SCHEMA
			"\": update it",
			schema);
	if (!json_is_array(json_object_get(root, "findings")))
		return dh_error_set(err, EBADMSG, "\"findings\" is not an array");
	return 0;
}

int dh_import_json(const char *text, size_t n, struct dh_findings *ret, struct dh_error *err)
{
	struct dh_findings found = DH_FINDINGS_INIT;
	json_error_t words;
	json_t *root = json_loadb(text, n, 0, &words);
	int r;

	if (!root)
		return dh_error_set(err, EBADMSG, "line %d: not JSON: %s", words.line, words.text);
	r = check_document(root, err);
	if (r == 0)
		r = import_findings(json_object_get(root, "findings"), &found, err);
	json_decref(root);
	for (size_t i = 0; r == 0 && i < found.n; i++)
		dh_findings_add(ret, found.items[i]);
	if (r == 0)
		found.n = 0; /* they belong to the caller now */
	dh_findings_release(&found);
	return r;
}
