#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "report/internal.h"

static const struct dh_kind_words kinds[DH_KIND_COUNT] = {
	[DH_KIND_DATA_RACE] = {"Data race",
		"Two threads reach the same memory, at least one writes, and nothing orders them.",
		"Guard every access to the variable with the same lock, or make the accesses "
		"atomic, "
		"or order the threads (join, condition, barrier) before the second access."},
	[DH_KIND_DEADLOCK] = {"Deadlock",
		"Threads can each hold a lock that the next one waits for, in a circle.",
		"Take the locks in one order everywhere, take them together, or release the first "
		"before waiting for the second."},
	[DH_KIND_LOCK_MISUSE] = {"Lock misuse",
		"A lock is released without being held, taken twice, or left held on some path.",
		"Release on every path what was taken, exactly once, in the thread that took it."},
	[DH_KIND_BLOCKING_IN_ATOMIC] = {"Blocking while it must not",
		"Code that may sleep runs where sleeping is not allowed, such as under a spin "
		"lock.",
		"Move the blocking call out of the section, or use a lock that may be slept "
		"under."},
	[DH_KIND_ATOMICITY_VIOLATION] = {"Atomicity violation",
		"A sequence that was meant to be one step is interleaved with another thread's "
		"access.",
		"Hold the lock over the whole sequence, from the first read to the last write."},
	[DH_KIND_SIGNAL_RACE] = {"Signal race",
		"A signal handler reaches state that the code it interrupts is in the midst of "
		"using.",
		"Let the handler set one volatile sig_atomic_t flag or write to a pipe, or block "
		"the "
		"signal around the section that it must not interrupt."},
	[DH_KIND_PROCESS_RACE] = {"Process race",
		"Two processes use the same file, pipe or other kernel object, and nothing orders "
		"them.",
		"Lock the file, create it with O_EXCL, replace it by rename, wait for the other "
		"process, or act on a descriptor instead of on a name twice."},
	[DH_KIND_ORDER_VIOLATION] = {"Order violation",
		"The program works only when its threads happen to run in a certain order, which "
		"nothing enforces.",
		"Make the order certain: join the thread, wait on a condition with its flag, or "
		"do the work before the thread that needs it is started."},
};

const struct dh_kind_words *dh_kind_words(enum dh_kind kind)
{
	return &kinds[kind];
}

const char *dh_level_about(enum dh_level level)
{
	static const char *const about[DH_LEVEL_COUNT] = {
		[DH_LEVEL_PREDICTED] = "an analysis says that it can happen",
		[DH_LEVEL_REFUTED] = "could not be made to happen within the stated budget",
		[DH_LEVEL_OBSERVED] = "both accesses were seen, unordered, in one execution",
		[DH_LEVEL_CONFIRMED] = "was made to happen, with a schedule that does it again",
		[DH_LEVEL_BENIGN] = "was made to happen, and no order broke the program",
		[DH_LEVEL_HARMFUL] = "one of the orders breaks the program",
		[DH_LEVEL_EXPLAINED] = "forcing or preventing the pattern decides the failure",
	};

	return about[level];
}

enum dh_level dh_report_urgent_level(size_t i)
{
	enum dh_level level = 0;

	while (level + 1 < DH_LEVEL_COUNT && dh_level_urgency(level) != DH_LEVEL_COUNT - 1 - i)
		level++;
	return level;
}

size_t dh_report_origins(const struct dh_finding *f, const char *ret[DH_MAX_ORIGINS])
{
	size_t n = 0;

	for (size_t i = 0; i < f->n_evidence && n < DH_MAX_ORIGINS; i++) {
		const char *by = f->evidence[i].by;
		size_t k = 0;

		while (k < n && by && strcmp(ret[k], by) != 0)
			k++;
		if (by && k == n)
			ret[n++] = by;
	}
	return n;
}

int64_t dh_report_seen(const struct dh_finding *f)
{
	int64_t seen = 0;

	for (size_t i = 0; i < f->n_evidence; i++)
		seen = DH_MAX(seen, DH_MAX(f->evidence[i].when, f->evidence[i].last));
	return seen;
}

void dh_words_access(struct dh_buf *b, const struct dh_site *site)
{
	const struct dh_access *a = &site->access;

	if (a->kind == DH_ACCESS_NONE) {
		dh_buf_adds(b, site->role ? site->role : "site");
		return;
	}
	dh_buf_addf(b, "%s%s", a->atomic ? "atomic " : "", dh_access_kind_name(a->kind));
	if (a->size)
		dh_buf_addf(b, " of %" PRIu32 " byte%s", a->size, a->size == 1 ? "" : "s");
}

static void add_value(struct dh_buf *b, uint64_t v)
{
	/* Pointers and bit patterns are told by their hexadecimal digits. */
	if (v < 1000000)
		dh_buf_addf(b, "%" PRIu64, v);
	else
		dh_buf_addf(b, "0x%" PRIx64, v);
}

void dh_words_values(struct dh_buf *b, const struct dh_access *access)
{
	add_value(b, access->before);
	dh_buf_adds(b, " -> ");
	add_value(b, access->after);
}

void dh_words_place(struct dh_buf *b, const struct dh_report *r, const struct dh_frame *f)
{
	if (f->file) {
		dh_words_plain(b, dh_report_path(r, f->file));
		if (f->line)
			dh_buf_addf(b, ":%" PRIu32, f->line);
		if (f->line && f->column)
			dh_buf_addf(b, ":%" PRIu32, f->column);
	} else if (f->module) {
		dh_words_plain(b, f->module);
		dh_buf_addf(b, "+0x%" PRIx64, f->offset);
	} else {
		dh_buf_addc(b, '?');
	}
}

void dh_words_frame(
	struct dh_buf *b, const struct dh_report *r, const struct dh_frame *f, size_t number)
{
	dh_buf_addf(b, "#%zu ", number);
	dh_words_plain(b, f->function ? f->function : "<null>");
	if (f->file) {
		dh_buf_addc(b, ' ');
		dh_words_plain(b, dh_report_path(r, f->file));
		if (f->line)
			dh_buf_addf(b, ":%" PRIu32, f->line);
	}
	if (f->module) {
		dh_buf_adds(b, " (");
		dh_words_plain(b, f->module);
		dh_buf_addf(b, "+0x%" PRIx64 ")", f->offset);
	}
	if (f->inlined)
		dh_buf_adds(b, " [inlined]");
}

bool dh_words_time(char ret[32], int64_t when)
{
	time_t t = (time_t)when;
	struct tm tm;

	/* Four digits of a year, as the format promises. */
	if (when <= 0 || when > INT64_C(253402300799) || !gmtime_r(&t, &tm))
		return false;
	return strftime(ret, 32, "%Y-%m-%dT%H:%M:%SZ", &tm) > 0;
}

static void add_budget_value(struct dh_buf *b, const char *key, const json_t *v)
{
	dh_words_plain(b, key);
	if (json_is_string(v)) {
		dh_buf_addc(b, ' ');
		dh_words_plain(b, json_string_value(v));
	} else if (json_is_integer(v)) {
		dh_buf_addf(b, " %" JSON_INTEGER_FORMAT, json_integer_value(v));
	} else if (json_is_real(v)) {
		dh_buf_addf(b, " %.6g", json_real_value(v));
	} else if (json_is_false(v)) {
		dh_buf_adds(b, " no");
	}
}

void dh_words_budget(struct dh_buf *b, const struct dh_evidence *e)
{
	json_t *o = e->budget ? json_loads(e->budget, 0, NULL) : NULL;
	const char *key, *sep = "";
	json_t *v;

	if (e->tries || e->hits) {
		dh_buf_addf(b, "%" PRIu64 " of %" PRIu64 " tries", e->hits, e->tries);
		sep = ", ";
	}
	json_object_foreach(o, key, v)
	{
		dh_buf_adds(b, sep);
		add_budget_value(b, key, v);
		sep = ", ";
	}
	json_decref(o);
}

static uint32_t decode(const char *s, size_t len)
{
	static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t c = (unsigned char)s[0] & first[len];

	for (size_t i = 1; i < len; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

static bool is_turning(uint32_t c)
{
	return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

void dh_words_plainn(struct dh_buf *b, const char *s, size_t n)
{
	for (const char *end = s + n; s < end;) {
		size_t len = dh_utf8_len(s, (size_t)(end - s));
		uint32_t c = len ? decode(s, len) : (unsigned char)*s;

		if (!len || c < 0x20 || c == 0x7f)
			dh_buf_addf(b, "\\x%02x", (unsigned)c);
		else if ((c >= 0x80 && c < 0xa0) || is_turning(c) || c == 0x2028 || c == 0x2029)
			dh_buf_addf(b, "\\u%04x", (unsigned)c);
		else
			dh_buf_add(b, s, len);
		s += len ? len : 1;
	}
}

void dh_words_plain(struct dh_buf *b, const char *s)
{
	s = s ? s : "?";
	dh_words_plainn(b, s, strlen(s));
}
