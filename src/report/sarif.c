/* SARIF 2.1.0, for code hosts and editors.  A site is a location, a lane of the timeline is a
 * thread flow, a kind is a rule; the canonical JSON's fields that have no home there are
 * properties. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "report/internal.h"

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
#define ROOT "SRCROOT"

static const char *const severities[DH_LEVEL_COUNT] = {
	[DH_LEVEL_PREDICTED] = "warning",
	[DH_LEVEL_REFUTED] = "note",
	[DH_LEVEL_OBSERVED] = "warning",
	[DH_LEVEL_CONFIRMED] = "warning",
	[DH_LEVEL_BENIGN] = "note",
	[DH_LEVEL_HARMFUL] = "error",
	[DH_LEVEL_EXPLAINED] = "error",
};

static void add_message(struct dh_json *j, const char *key, const char *text)
{
	dh_json_object(j, key);
	dh_json_string(j, "text", text);
	dh_json_end_object(j);
}

/* A path as a URI reference: relative ones from the root, absolute ones as file:. */
static void add_uri(struct dh_json *j, const char *path)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	static const char kept[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				   "0123456789-._~/";

	if (path[0] == '/')
		dh_buf_adds(&b, "file://");
	for (const char *p = path; *p; p++) {
		if (strchr(kept, *p))
			dh_buf_addc(&b, *p);
		else
			dh_buf_addf(&b, "%%%02X", (unsigned char)*p);
	}
	dh_json_string(j, "uri", dh_buf_str(&b));
	if (path[0] != '/')
		dh_json_string(j, "uriBaseId", ROOT);
}

static void add_physical(
	struct dh_json *j, const struct dh_report *r, const struct dh_frame *at, const char *text)
{
	const char *path = dh_report_path(r, at->file);

	if (!path || !path[0])
		return;
	dh_json_object(j, "physicalLocation");
	dh_json_object(j, "artifactLocation");
	add_uri(j, path);
	dh_json_end_object(j);
	if (at->line && at->line <= INT32_MAX) {
		dh_json_object(j, "region");
		dh_json_uint(j, "startLine", at->line);
		if (at->column && at->column <= INT32_MAX)
			dh_json_uint(j, "startColumn", at->column);
		if (text)
			add_message(j, "snippet", text);
		dh_json_end_object(j);
	}
	dh_json_end_object(j);
}

/* id < 0: none.  message may be NULL. */
static void add_location(struct dh_json *j, const struct dh_report *r, const char *key,
	const struct dh_frame *at, const char *text, int64_t id, const char *message)
{
	dh_json_object(j, key);
	if (id >= 0)
		dh_json_int(j, "id", id);
	add_physical(j, r, at, text);
	if (at->function) {
		dh_json_array(j, "logicalLocations");
		dh_json_object(j, NULL);
		dh_json_string(j, "name", at->function);
		dh_json_string(j, "kind", "function");
		dh_json_end_object(j);
		dh_json_end_array(j);
	}
	if (message)
		add_message(j, "message", message);
	dh_json_end_object(j);
}

static void describe_site(struct dh_buf *b, const struct dh_site *s)
{
	if (s->role && s->access.kind != DH_ACCESS_NONE)
		dh_buf_addf(b, "%s: ", s->role);
	dh_words_access(b, s);
	if (s->who)
		dh_buf_addf(b, " by %s", s->who);
	for (size_t i = 0; i < s->n_locks; i++)
		dh_buf_addf(b, "%s%s", i ? ", " : ", holding ", s->locks[i]);
	if (s->access.has_values) {
		dh_buf_adds(b, ", value changed: ");
		dh_words_values(b, &s->access);
	}
	if (s->order)
		dh_buf_addf(b, "; %s", s->order);
}

static void add_site(
	struct dh_json *j, const struct dh_report *r, const struct dh_site *s, int64_t id)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	describe_site(&b, s);
	add_location(j, r, NULL, &s->at, s->text, id, dh_buf_str(&b));
}

static void add_stack(struct dh_json *j, const struct dh_report *r, const struct dh_stack *stack,
	const char *what)
{
	if (!stack->n)
		return;
	dh_json_object(j, NULL);
	add_message(j, "message", what);
	dh_json_array(j, "frames");
	for (size_t i = 0; i < stack->n; i++) {
		const struct dh_frame *f = &stack->frames[i];

		dh_json_object(j, NULL);
		add_location(j, r, "location", f, NULL, -1, NULL);
		if (f->module)
			dh_json_string(j, "module", f->module);
		dh_json_end_object(j);
	}
	dh_json_end_array(j);
	dh_json_end_object(j);
}

/* No two stacks may be equal, hence the numbers. */
static void add_stacks(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	dh_json_array(j, "stacks");
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_site *s = &f->sites[i];

		dh_buf_clear(&b);
		dh_buf_addf(&b, "stack of site %zu%s%s", i + 1, s->who ? ", " : "",
			s->who ? s->who : "");
		add_stack(j, r, &s->stack, dh_buf_str(&b));
		dh_buf_clear(&b);
		dh_buf_addf(&b, "where %s of site %zu was created", s->who ? s->who : "?", i + 1);
		add_stack(j, r, &s->created, dh_buf_str(&b));
	}
	add_stack(j, r, &f->allocated, "where the object was allocated");
	dh_json_end_array(j);
}

/* Words that the standard suggests for what a step does. */
static void add_step_kinds(struct dh_json *j, const struct dh_finding *f, const struct dh_step *s)
{
	static const char *const names[DH_STEP_COUNT] = {
		[DH_STEP_LOCK] = "acquire",
		[DH_STEP_UNLOCK] = "release",
		[DH_STEP_SYSCALL] = "call",
		[DH_STEP_CREATE] = "call",
		[DH_STEP_EXIT] = "exit",
	};
	const char *name = names[s->kind] ? names[s->kind] : dh_step_kind_name(s->kind);

	dh_json_array(j, "kinds");
	dh_json_string(j, NULL, name);
	if (s->site >= 0 && (size_t)s->site < f->n_sites &&
		f->sites[s->site].access.kind != DH_ACCESS_NONE)
		dh_json_string(j, NULL, dh_access_kind_name(f->sites[s->site].access.kind));
	dh_json_end_array(j);
}

static void add_step(
	struct dh_json *j, const struct dh_report *r, const struct dh_finding *f, size_t i)
{
	const struct dh_step *s = &f->steps[i];
	struct dh_frame at = {.file = s->file, .line = s->line};
	bool essential = s->site >= 0 || s->kind == DH_STEP_FAILURE;

	dh_json_object(j, NULL);
	add_location(
		j, r, "location", &at, NULL, -1, s->label ? s->label : dh_step_kind_name(s->kind));
	add_step_kinds(j, f, s);
	dh_json_uint(j, "executionOrder", i + 1);
	dh_json_string(j, "importance", essential ? "essential" : "important");
	dh_json_end_object(j);
}

static const char *lane(const struct dh_step *s)
{
	return s->lane ? s->lane : "?";
}

static bool is_first_of_lane(const struct dh_finding *f, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(lane(&f->steps[k]), lane(&f->steps[i])) == 0)
			return false;
	return true;
}

static void add_lanes(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	for (size_t i = 0; i < f->n_steps; i++) {
		if (!is_first_of_lane(f, i))
			continue;
		dh_json_object(j, NULL);
		dh_json_string(j, "id", lane(&f->steps[i]));
		dh_json_array(j, "locations");
		for (size_t k = i; k < f->n_steps; k++)
			if (strcmp(lane(&f->steps[i]), lane(&f->steps[k])) == 0)
				add_step(j, r, f, k);
		dh_json_end_array(j);
		dh_json_end_object(j);
	}
}

static void add_arrival(struct dh_json *j, const struct dh_report *r, const struct dh_site *s)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	describe_site(&b, s);
	dh_json_object(j, NULL);
	add_location(j, r, "location", &s->at, s->text, -1, dh_buf_str(&b));
	dh_json_string(j, "importance", "essential");
	dh_json_end_object(j);
}

/* Without a timeline, the way to each access: its stack from the outside in. */
static void add_ways(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	for (size_t i = 0; i < f->n_sites; i++) {
		const struct dh_site *s = &f->sites[i];

		dh_json_object(j, NULL);
		if (s->who)
			dh_json_string(j, "id", s->who);
		dh_json_array(j, "locations");
		for (size_t k = s->stack.n; k-- > 1;) {
			dh_json_object(j, NULL);
			add_location(j, r, "location", &s->stack.frames[k], NULL, -1, "call");
			dh_json_end_object(j);
		}
		add_arrival(j, r, s);
		dh_json_end_array(j);
		dh_json_end_object(j);
	}
}

static void add_flows(struct dh_json *j, const struct dh_report *r, const struct dh_finding *f)
{
	if (!f->n_steps && !f->n_sites)
		return;
	dh_json_array(j, "codeFlows");
	dh_json_object(j, NULL);
	if (f->n_steps)
		add_message(
			j, "message", f->failure.what ? "The order that fails" : "What happens");
	dh_json_array(j, "threadFlows");
	if (f->n_steps)
		add_lanes(j, r, f);
	else
		add_ways(j, r, f);
	dh_json_end_array(j);
	dh_json_end_object(j);
	dh_json_end_array(j);
}

static void add_result_message(struct dh_json *j, const struct dh_finding *f)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;
	const char *reproduce = dh_finding_reproduce(f);

	dh_buf_addf(&b, "%s (%s: %s).", f->title ? f->title : dh_kind_words(f->kind)->name,
		dh_level_name(f->level), dh_level_about(f->level));
	if (f->failure.what)
		dh_buf_addf(&b, " Fails with: %s%s%s", f->failure.what,
			f->failure.detail ? ": " : "", f->failure.detail ? f->failure.detail : "");
	if (f->failure.what && b.data[b.len - 1] != '.')
		dh_buf_addc(&b, '.');
	if (f->mend)
		dh_buf_addf(&b, " What to do: %s", f->mend);
	if (reproduce)
		dh_buf_addf(&b, " Reproduce with: %s", reproduce);
	add_message(j, "message", dh_buf_str(&b));
}

static void add_properties(struct dh_json *j, const struct dh_finding *f, uint64_t rank)
{
	const char *origins[DH_MAX_ORIGINS];
	size_t n = dh_report_origins(f, origins);

	dh_json_object(j, "properties");
	dh_json_string(j, "id", f->id);
	dh_json_string(j, "evidence", dh_level_name(f->level));
	dh_json_array(j, "origin");
	for (size_t i = 0; i < n; i++)
		dh_json_string(j, NULL, origins[i]);
	dh_json_end_array(j);
	dh_json_uint(j, "position", rank);
	dh_json_double(j, "score", f->score);
	dh_json_array(j, "reasons");
	for (size_t i = 0; i < f->n_reasons; i++)
		dh_json_string(j, NULL, f->reasons[i]);
	dh_json_end_array(j);
	dh_json_string(j, "variable", f->variable);
	dh_json_string(j, "mend", f->mend);
	dh_json_string(j, "reproduce", dh_finding_reproduce(f));
	dh_json_end_object(j);
}

static void add_result(struct dh_json *j, const struct dh_report *r, size_t i)
{
	const struct dh_finding *f = r->findings[i];

	dh_json_object(j, NULL);
	dh_json_string(j, "ruleId", dh_kind_name(f->kind));
	dh_json_int(j, "ruleIndex", f->kind);
	dh_json_string(j, "kind", "fail");
	dh_json_string(j, "level", severities[f->level]);
	add_result_message(j, f);
	dh_json_array(j, "locations");
	if (f->n_sites)
		add_site(j, r, &f->sites[0], -1);
	dh_json_end_array(j);
	dh_json_array(j, "relatedLocations");
	for (size_t k = 1; k < f->n_sites; k++)
		add_site(j, r, &f->sites[k], (int64_t)k);
	dh_json_end_array(j);
	add_flows(j, r, f);
	add_stacks(j, r, f);
	dh_json_object(j, "partialFingerprints");
	dh_json_string(j, "deadheat/v1", f->fingerprint);
	dh_json_end_object(j);
	/* From 100, the first of the list, down to above 0. */
	dh_json_double(j, "rank", 100.0 * (double)(r->n - i) / (double)r->n);
	if (f->suppressed) {
		dh_json_array(j, "suppressions");
		dh_json_object(j, NULL);
		dh_json_string(j, "kind", "external");
		dh_json_end_object(j);
		dh_json_end_array(j);
	}
	add_properties(j, f, dh_report_rank(r, i));
	dh_json_end_object(j);
}

static void add_rule(struct dh_json *j, enum dh_kind kind)
{
	const struct dh_kind_words *w = dh_kind_words(kind);

	dh_json_object(j, NULL);
	dh_json_string(j, "id", dh_kind_name(kind));
	add_message(j, "shortDescription", w->name);
	add_message(j, "fullDescription", w->about);
	add_message(j, "help", w->mend);
	dh_json_object(j, "defaultConfiguration");
	dh_json_string(j, "level", "warning");
	dh_json_end_object(j);
	dh_json_object(j, "properties");
	dh_json_array(j, "tags");
	dh_json_string(j, NULL, "concurrency");
	dh_json_string(j, NULL, "race-condition");
	dh_json_end_array(j);
	dh_json_end_object(j);
	dh_json_end_object(j);
}

static void add_tool(struct dh_json *j)
{
	dh_json_object(j, "tool");
	dh_json_object(j, "driver");
	dh_json_string(j, "name", "deadheat");
	dh_json_string(j, "version", DH_VERSION);
	dh_json_array(j, "rules");
	for (int kind = 0; kind < DH_KIND_COUNT; kind++)
		add_rule(j, (enum dh_kind)kind);
	dh_json_end_array(j);
	dh_json_end_object(j);
	dh_json_end_object(j);
}

static void add_notification(struct dh_json *j, const char *text)
{
	dh_json_object(j, NULL);
	dh_json_string(j, "level", "warning");
	add_message(j, "message", text);
	dh_json_end_object(j);
}

/* What was not seen is part of the result. */
static void add_invocation(struct dh_json *j, const struct dh_report *r)
{
	DH_BUF struct dh_buf b = DH_BUF_INIT;

	dh_json_array(j, "invocations");
	dh_json_object(j, NULL);
	dh_json_bool(j, "executionSuccessful", true);
	dh_json_array(j, "toolExecutionNotifications");
	if (r->opt->lost_events) {
		dh_buf_addf(&b, "%" PRIu64 " events lost", r->opt->lost_events);
		add_notification(j, dh_buf_str(&b));
	}
	for (size_t i = 0; i < r->opt->n_skipped; i++) {
		dh_buf_clear(&b);
		dh_buf_addf(&b, "skipped: %s", r->opt->skipped[i]);
		add_notification(j, dh_buf_str(&b));
	}
	dh_json_end_array(j);
	dh_json_end_object(j);
	dh_json_end_array(j);
}

int dh_report_sarif(const struct dh_report *r, struct dh_error *err)
{
	struct dh_json j;

	(void)err;
	dh_json_init(&j, r->out, 1);
	dh_json_object(&j, NULL);
	dh_json_string(&j, "$schema", SCHEMA);
	dh_json_string(&j, "version", "2.1.0");
	dh_json_array(&j, "runs");
	dh_json_object(&j, NULL);
	add_tool(&j);
	add_invocation(&j, r);
	dh_json_object(&j, "originalUriBaseIds");
	dh_json_object(&j, ROOT);
	add_message(&j, "description", "The directory that relative file names start from.");
	dh_json_end_object(&j);
	dh_json_end_object(&j);
	dh_json_string(&j, "columnKind", "unicodeCodePoints");
	dh_json_array(&j, "results");
	for (size_t i = 0; i < r->n; i++)
		add_result(&j, r, i);
	dh_json_end_array(&j);
	dh_json_end_object(&j);
	dh_json_end_array(&j);
	dh_json_end_object(&j);
	return 0;
}
