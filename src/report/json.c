/* The canonical JSON, schema "deadheat-findings/1".  Scripts rely on the names: fields are added,
 * never renamed; what is not known is null. */
#include <jansson.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "report/internal.h"

/* Budgets come from a store that somebody else may have written. */
#define MAX_BUDGET_DEPTH 8

static void add_value(struct dh_json *j, const char *key, const json_t *v, int depth)
{
	const char *k;
	size_t i;
	json_t *e;

	if (json_is_object(v) && depth < MAX_BUDGET_DEPTH) {
		dh_json_object(j, key);
		json_object_foreach((json_t *)v, k, e) add_value(j, k, e, depth + 1);
		dh_json_end_object(j);
	} else if (json_is_array(v) && depth < MAX_BUDGET_DEPTH) {
		dh_json_array(j, key);
		json_array_foreach(v, i, e) add_value(j, NULL, e, depth + 1);
		dh_json_end_array(j);
	} else if (json_is_string(v)) {
		dh_json_stringn(j, key, json_string_value(v), json_string_length(v));
	} else if (json_is_integer(v)) {
		dh_json_int(j, key, json_integer_value(v));
	} else if (json_is_real(v)) {
		dh_json_double(j, key, json_real_value(v));
	} else if (json_is_boolean(v)) {
		dh_json_bool(j, key, json_is_true(v));
	} else {
		dh_json_null(j, key);
	}
}

/* An object when it is one; text that is none is kept, as a string. */
static void add_budget(struct dh_json *j, const char *budget)
{
	json_t *v = budget ? json_loads(budget, JSON_DECODE_ANY, NULL) : NULL;

	if (json_is_object(v))
		add_value(j, "budget", v, 0);
	else
		dh_json_string(j, "budget", budget);
	json_decref(v);
}

static void add_number(struct dh_json *j, const char *key, uint64_t v)
{
	/* Readers of JSON refuse the whole document for an integer beyond 63 bits. */
	if (v <= INT64_MAX)
		dh_json_uint(j, key, v);
	else
		dh_json_null(j, key);
}

static void add_positive(struct dh_json *j, const char *key, uint32_t v)
{
	if (v)
		dh_json_uint(j, key, v);
	else
		dh_json_null(j, key);
}

static void add_place(struct dh_json *j, const struct dh_report *r, const struct dh_frame *f)
{
	dh_json_string(j, "file", dh_report_path(r, f->file));
	add_positive(j, "line", f->line);
	add_positive(j, "column", f->column);
	dh_json_string(j, "function", f->function);
	dh_json_string(j, "module", f->module);
	if (f->module)
		add_number(j, "offset", f->offset);
	else
		dh_json_null(j, "offset");
	if (f->build_id)
		dh_json_string(j, "build_id", f->build_id);
}

static void add_stack(
	struct dh_json *j, const struct dh_report *r, const char *key, const struct dh_stack *s)
{
	dh_json_array(j, key);
	for (size_t i = 0; i < s->n; i++) {
		dh_json_object(j, NULL);
		add_place(j, r, &s->frames[i]);
		if (s->frames[i].inlined)
			dh_json_bool(j, "inlined", true);
		dh_json_end_object(j);
	}
	dh_json_end_array(j);
}

static void add_strings(struct dh_json *j, const char *key, const char *const *s, size_t n)
{
	dh_json_array(j, key);
	for (size_t i = 0; i < n; i++)
		dh_json_string(j, NULL, s[i]);
	dh_json_end_array(j);
}

/* Values are strings: 64 bits do not fit the numbers that scripts have. */
static void add_access(struct dh_json *j, const struct dh_access *a)
{
	char text[24];

	dh_json_string(
		j, "access", a->kind == DH_ACCESS_NONE ? NULL : dh_access_kind_name(a->kind));
	add_positive(j, "size", a->size);
	dh_json_bool(j, "atomic", a->atomic);
	if (!a->has_values)
		return;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)a->before);
	dh_json_string(j, "before", text);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)a->after);
	dh_json_string(j, "after", text);
}

static void add_site(struct dh_json *j, const struct dh_report *r, const struct dh_site *s)
{
	dh_json_object(j, NULL);
	dh_json_string(j, "role", s->role);
	add_place(j, r, &s->at);
	dh_json_string(j, "text", s->text);
	add_access(j, &s->access);
	dh_json_string(j, "who", s->who);
	add_strings(j, "locks", s->locks, s->n_locks);
	if (s->order)
		dh_json_string(j, "order", s->order);
	add_stack(j, r, "stack", &s->stack);
	if (s->created.n)
		add_stack(j, r, "created", &s->created);
	dh_json_end_object(j);
}

static void add_step(struct dh_json *j, const struct dh_report *r, const struct dh_step *s)
{
	dh_json_object(j, NULL);
	dh_json_string(j, "lane", s->lane);
	dh_json_string(j, "kind", dh_step_kind_name(s->kind));
	dh_json_string(j, "label", s->label);
	dh_json_string(j, "file", dh_report_path(r, s->file));
	add_positive(j, "line", s->line);
	if (s->site >= 0)
		dh_json_int(j, "site", s->site);
	else
		dh_json_null(j, "site");
	dh_json_end_object(j);
}

static void add_evidence(struct dh_json *j, const struct dh_evidence *e)
{
	char when[32];

	dh_json_object(j, NULL);
	dh_json_string(j, "level", dh_level_name(e->level));
	dh_json_string(j, "by", e->by);
	dh_json_string(j, "when", dh_words_time(when, e->when) ? when : NULL);
	if (e->last)
		dh_json_string(j, "last", dh_words_time(when, e->last) ? when : NULL);
	add_budget(j, e->budget);
	if (e->tries || e->hits) {
		add_number(j, "tries", e->tries);
		add_number(j, "hits", e->hits);
	}
	dh_json_string(j, "reproduce", e->reproduce);
	if (e->note)
		dh_json_string(j, "note", e->note);
	dh_json_end_object(j);
}

static void add_failure(struct dh_json *j, const struct dh_failure *f)
{
	if (!f->what) {
		dh_json_null(j, "failure");
		return;
	}
	dh_json_object(j, "failure");
	dh_json_string(j, "what", f->what);
	dh_json_string(j, "detail", f->detail);
	dh_json_int(j, "status", f->status);
	dh_json_end_object(j);
}

static void add_head(struct dh_json *j, const struct dh_finding *f, uint64_t rank)
{
	const char *origins[DH_MAX_ORIGINS];

	dh_json_string(j, "id", f->id);
	dh_json_string(j, "kind", dh_kind_name(f->kind));
	dh_json_string(j, "level", dh_level_name(f->level));
	add_strings(j, "origin", origins, dh_report_origins(f, origins));
	dh_json_string(j, "title", f->title);
	dh_json_uint(j, "rank", rank);
	dh_json_double(j, "score", f->score);
	add_strings(j, "reasons", f->reasons, f->n_reasons);
	dh_json_string(j, "variable", f->variable);
	dh_json_string(j, "object", f->object);
}

void dh_report_json_finding(struct dh_json *j, const char *key, const struct dh_report *r,
	const struct dh_finding *f, uint64_t rank)
{
	dh_json_object(j, key);
	add_head(j, f, rank);
	dh_json_array(j, "sites");
	for (size_t i = 0; i < f->n_sites; i++)
		add_site(j, r, &f->sites[i]);
	dh_json_end_array(j);
	if (f->allocated.n)
		add_stack(j, r, "allocated", &f->allocated);
	dh_json_array(j, "steps");
	for (size_t i = 0; i < f->n_steps; i++)
		add_step(j, r, &f->steps[i]);
	dh_json_end_array(j);
	add_failure(j, &f->failure);
	dh_json_array(j, "evidence");
	for (size_t i = 0; i < f->n_evidence; i++)
		add_evidence(j, &f->evidence[i]);
	dh_json_end_array(j);
	dh_json_string(j, "reproduce", dh_finding_reproduce(f));
	dh_json_string(j, "schedule", f->schedule);
	dh_json_string(j, "mend", f->mend);
	dh_json_string(j, "fingerprint", f->fingerprint);
	dh_json_bool(j, "suppressed", f->suppressed);
	dh_json_end_object(j);
}

static void add_summary(struct dh_json *j, const struct dh_report *r)
{
	/* The order of the ladder, not of strength: as it is documented. */
	static const enum dh_level ladder[] = {DH_LEVEL_PREDICTED, DH_LEVEL_OBSERVED,
		DH_LEVEL_CONFIRMED, DH_LEVEL_HARMFUL, DH_LEVEL_BENIGN, DH_LEVEL_EXPLAINED,
		DH_LEVEL_REFUTED};
	uint64_t count[DH_LEVEL_COUNT] = {0}, suppressed = 0;

	for (size_t i = 0; i < r->n; i++) {
		count[r->findings[i]->level]++;
		suppressed += r->findings[i]->suppressed;
	}
	dh_json_object(j, "summary");
	for (size_t i = 0; i < DH_ARRAY_SIZE(ladder); i++)
		dh_json_uint(j, dh_level_name(ladder[i]), count[ladder[i]]);
	dh_json_uint(j, "suppressed", suppressed);
	add_number(j, "lost_events", r->opt->lost_events);
	add_strings(j, "skipped", r->opt->skipped, r->opt->n_skipped);
	dh_json_end_object(j);
}

int dh_report_json(const struct dh_report *r, struct dh_error *err)
{
	struct dh_json j;

	(void)err;
	dh_json_init(&j, r->out, 2);
	dh_json_object(&j, NULL);
	dh_json_string(&j, "schema", "deadheat-findings/1");
	dh_json_object(&j, "tool");
	dh_json_string(&j, "name", "deadheat");
	dh_json_string(&j, "version", DH_VERSION);
	dh_json_end_object(&j);
	dh_json_array(&j, "findings");
	for (size_t i = 0; i < r->n; i++)
		dh_report_json_finding(&j, NULL, r, r->findings[i], dh_report_rank(r, i));
	dh_json_end_array(&j);
	add_summary(&j, r);
	dh_json_end_object(&j);
	return 0;
}
