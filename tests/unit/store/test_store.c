/* Putting, listing, looking up, suppressing. */
#include "../unit.h"

#include <errno.h>

#include "model/findings.h"

#include "helper.h"

#define BUGS 200

static void list(struct dh_store *s, const struct dh_store_query *q, struct dh_findings *ret)
{
	struct dh_store_cursor *c;
	struct dh_finding *f;
	struct dh_error e = DH_ERROR_INIT;
	int r;

	*ret = DH_FINDINGS_INIT;
	assert_ok(dh_store_cursor_open(s, q, &c, err));
	while ((r = dh_store_cursor_next(c, &f, &e)) > 0)
		dh_findings_add(ret, f);
	if (r < 0)
		fail_msg("%s", e.text);
	dh_store_cursor_free(c);
}

static struct dh_store *filled(const char *name, uint64_t seed)
{
	struct dh_store *s = open_store(name, DH_STORE_CREATE);

	assert_ok(dh_store_begin(s, err));
	for (uint64_t i = 0; i < BUGS; i++)
		put_bug(s, i, &seed);
	assert_ok(dh_store_commit(s, err));
	return s;
}

static void comes_back_whole(void **state)
{
	struct dh_store *s = open_store("a/b/findings.db", DH_STORE_CREATE);
	uint64_t seed = 7;
	struct dh_finding *f = gen_finding(1, &seed), *g;

	(void)state;
	f->failure = (struct dh_failure){"crash", "SIGSEGV", 139};
	assert_int_equal(dh_store_put(s, f, NULL), 1);
	assert_int_equal(dh_store_put(s, f, NULL), 0);
	assert_ok(dh_store_get(s, f->fingerprint, &g, err));
	assert_string_equal(g->fingerprint, f->fingerprint);
	assert_string_equal(g->id, f->id);
	assert_int_equal(g->kind, f->kind);
	assert_int_equal(g->level, f->level);
	assert_true(g->score == f->score);
	assert_string_equal(g->title, f->title);
	assert_string_equal(g->failure.detail, "SIGSEGV");
	assert_int_equal(g->n_sites, 2);
	assert_int_equal(g->n_evidence, f->n_evidence);
	assert_string_equal(g->evidence[0].by, f->evidence[0].by);
	assert_int_equal(g->evidence[0].when, f->evidence[0].when);
	assert_false(g->suppressed);
	dh_finding_free(f);
	dh_finding_free(g);
	dh_store_close(s);
}

static struct dh_finding *said(
	const char *by, enum dh_level level, int64_t when, const char *reason)
{
	struct dh_finding *f = dh_finding_new(DH_KIND_DATA_RACE);

	f->variable = "x";
	f->score = (double)strlen(reason);
	dh_finding_set_title(f, "title by %s", by);
	dh_finding_add_reason(f, "%s", reason);
	dh_finding_add_evidence(f, &(struct dh_evidence){.level = level,
					   .by = by,
					   .when = when,
					   .reproduce = dh_level_needs_command(level) ? by : NULL});
	dh_finding_seal(f);
	return f;
}

static void put_free(struct dh_store *s, struct dh_finding *f)
{
	assert_ok(dh_store_put(s, f, err));
	dh_finding_free(f);
}

static struct dh_finding *only(struct dh_store *s)
{
	struct dh_findings all;
	struct dh_finding *f;

	list(s, &(struct dh_store_query){0}, &all);
	assert_int_equal(all.n, 1);
	f = all.items[0];
	free(all.items);
	return f;
}

/* Two origins speak of one bug: the stronger describes it, reasons of both are shown. */
static void origins_add_up(void **state)
{
	struct dh_store *s = open_store("origins.db", DH_STORE_CREATE);
	struct dh_finding *f;

	(void)state;
	put_free(s, said("scan", DH_LEVEL_PREDICTED, 10, "longer reason"));
	put_free(s, said("fuzz", DH_LEVEL_REFUTED, 20, "none in 100"));
	f = only(s);
	assert_int_equal(f->level, DH_LEVEL_REFUTED);
	dh_finding_free(f);
	put_free(s, said("fuzz", DH_LEVEL_CONFIRMED, 30, "3 of 100"));
	f = only(s);
	assert_int_equal(f->level, DH_LEVEL_CONFIRMED);
	assert_string_equal(f->title, "title by fuzz");
	assert_string_equal(dh_finding_reproduce(f), "fuzz");
	assert_int_equal(f->n_evidence, 3);
	assert_int_equal(f->n_reasons, 2);
	assert_string_equal(f->reasons[0], "3 of 100");
	assert_string_equal(f->reasons[1], "longer reason");
	assert_true(f->score == 13);
	dh_finding_free(f);
	dh_store_close(s);
}

/* A timeline from a weaker origin is kept, joined to the sites of the stronger one. */
static void timelines_are_kept(void **state)
{
	struct dh_store *s = open_store("steps.db", DH_STORE_CREATE);
	struct dh_finding *f = said("sample", DH_LEVEL_OBSERVED, 1, ""),
			  *g = said("fuzz", DH_LEVEL_CONFIRMED, 2, "");
	struct dh_site a = {.at = {.function = "a"}}, b = {.at = {.function = "b"}};

	(void)state;
	dh_finding_add_site(f, &a);
	dh_finding_add_site(f, &b);
	dh_finding_add_step(f, &(struct dh_step){.lane = "1", .site = 0});
	dh_finding_add_step(f, &(struct dh_step){.lane = "2", .site = 1});
	dh_finding_add_step(f, &(struct dh_step){.lane = "2", .site = -1});
	dh_finding_add_site(g, &b);
	dh_finding_add_site(g, &a);
	dh_finding_seal(f);
	dh_finding_seal(g);
	put_free(s, f);
	put_free(s, g);
	f = only(s);
	assert_string_equal(f->sites[0].at.function, "b");
	assert_int_equal(f->n_steps, 3);
	assert_int_equal(f->steps[0].site, 1);
	assert_int_equal(f->steps[1].site, 0);
	assert_int_equal(f->steps[2].site, -1);
	dh_finding_free(f);
	dh_store_close(s);
}

/* The same origin again: the newer description replaces, a weaker one does not. */
static void newer_descriptions_win(void **state)
{
	struct dh_store *s = open_store("newer.db", DH_STORE_CREATE);
	struct dh_finding *f;

	(void)state;
	put_free(s, said("scan", DH_LEVEL_PREDICTED, 20, "second run"));
	put_free(s, said("scan", DH_LEVEL_PREDICTED, 10, "the very first run"));
	f = only(s);
	assert_string_equal(f->reasons[0], "second run");
	assert_true(f->score == 10);
	/* The same statement at two times is one piece of evidence. */
	assert_int_equal(f->n_evidence, 1);
	assert_int_equal(f->evidence[0].when, 10);
	assert_int_equal(f->evidence[0].last, 20);
	dh_finding_free(f);
	put_free(s, said("scan", DH_LEVEL_OBSERVED, 5, "seen"));
	put_free(s, said("scan", DH_LEVEL_PREDICTED, 40, "third run"));
	f = only(s);
	assert_string_equal(f->reasons[0], "seen");
	assert_int_equal(f->level, DH_LEVEL_OBSERVED);
	dh_finding_free(f);
	dh_store_close(s);
}

static void ranked(void **state)
{
	struct dh_store *s = filled("ranked.db", 1);
	struct dh_findings all, top;

	(void)state;
	list(s, &(struct dh_store_query){0}, &all);
	assert_int_equal(all.n, BUGS);
	for (size_t i = 0; i < all.n; i++) {
		uint64_t rank = 0;

		if (i)
			assert_true(dh_finding_compare(all.items[i - 1], all.items[i]) < 0);
		assert_ok(dh_store_rank(s, all.items[i]->fingerprint, &rank, err));
		assert_int_equal(rank, i + 1);
	}
	list(s, &(struct dh_store_query){.limit = 7}, &top);
	assert_int_equal(top.n, 7);
	assert_string_equal(top.items[6]->id, all.items[6]->id);
	dh_findings_release(&all);
	dh_findings_release(&top);
	dh_store_close(s);
}

/* The two patterns that the test uses, without the help of fnmatch(). */
static bool has_file(const struct dh_finding *f, const char *pattern)
{
	for (size_t i = 0; i < f->n_sites; i++) {
		const char *file = strstr(f->sites[i].at.file, "/file");

		if (pattern[0] == 'p' ? strncmp(file - 5, "part3", 5) == 0
				      : file[5] == '1' && strlen(file) == 9)
			return true;
	}
	return false;
}

static bool said_by(const struct dh_finding *f, const char *by)
{
	for (size_t i = 0; i < f->n_evidence; i++) {
		if (strcmp(f->evidence[i].by, by) == 0)
			return true;
	}
	return false;
}

static bool matches(const struct dh_finding *f, const struct dh_store_query *q)
{
	if (q->kinds && !(q->kinds >> f->kind & 1))
		return false;
	if (q->levels && !(q->levels >> f->level & 1))
		return false;
	if (q->origin && !said_by(f, q->origin))
		return false;
	return !q->file || has_file(f, q->file);
}

static struct dh_store_query random_query(uint64_t *seed)
{
	static const char *const files[] = {"file1?.c", "part3/file*.c"};

	return (struct dh_store_query){
		.kinds = (uint32_t)(gen_next(seed) & gen_next(seed)) % (1 << DH_KIND_COUNT),
		.levels = (uint32_t)(gen_next(seed) & gen_next(seed)) % (1 << DH_LEVEL_COUNT),
		.origin = gen_below(seed, 2) ? "fuzz" : NULL,
		.file = gen_below(seed, 3) ? NULL : files[gen_below(seed, 2)],
	};
}

/* Each filter and their combinations against looking at every finding. */
static void filters(void **state)
{
	struct dh_store *s = filled("filters.db", 1);
	struct dh_findings all, some;
	uint64_t seed = 5, count, non_empty = 0;

	(void)state;
	list(s, &(struct dh_store_query){0}, &all);
	for (size_t i = 0; i < all.n; i += 7)
		assert_ok(dh_store_suppress(s, all.items[i]->fingerprint, true, NULL, 1, err));
	dh_findings_release(&all);
	list(s, &(struct dh_store_query){0}, &all);
	assert_int_equal(all.n, BUGS - (BUGS + 6) / 7);
	for (int i = 0; i < 300; i++) {
		struct dh_store_query q = random_query(&seed);
		size_t at = 0;

		list(s, &q, &some);
		assert_ok(dh_store_count(s, &q, &count, err));
		assert_int_equal(count, some.n);
		for (size_t k = 0; k < all.n; k++) {
			if (!matches(all.items[k], &q))
				continue;
			assert_true(at < some.n);
			assert_string_equal(some.items[at++]->id, all.items[k]->id);
		}
		assert_int_equal(at, some.n);
		non_empty += some.n != 0;
		dh_findings_release(&some);
	}
	assert_true(non_empty > 100);
	dh_findings_release(&all);
	dh_store_close(s);
}

static void ids_by_prefix(void **state)
{
	struct dh_store *s = filled("ids.db", 1);
	struct dh_findings all;
	char fp[33], id[34], upper[13];

	(void)state;
	list(s, &(struct dh_store_query){0}, &all);
	for (size_t i = 0; i < all.n; i++) {
		assert_ok(dh_store_resolve(s, all.items[i]->id, fp, err));
		assert_string_equal(fp, all.items[i]->fingerprint);
		assert_ok(dh_store_resolve(s, all.items[i]->fingerprint, fp, err));
	}
	for (size_t i = 0; i < 13; i++)
		upper[i] = (char)(all.items[0]->id[i] >= 'a' ? all.items[0]->id[i] - 32
							     : all.items[0]->id[i]);
	assert_ok(dh_store_resolve(s, upper, fp, err));
	assert_string_equal(fp, all.items[0]->fingerprint);
	assert_fails(dh_store_resolve(s, "abc", fp, err), EINVAL, "first digits");
	assert_fails(dh_store_resolve(s, "wxyz", fp, err), EINVAL, "not an id");
	assert_fails(dh_store_resolve(s, "", fp, err), EINVAL, "not an id");
	snprintf(id, sizeof(id), "%s0", all.items[0]->fingerprint);
	assert_fails(dh_store_resolve(s, id, fp, err), EINVAL, "not an id");
	snprintf(id, sizeof(id), "%.31s%c", all.items[0]->fingerprint,
		all.items[0]->fingerprint[31] == '0' ? '1' : '0');
	assert_fails(dh_store_resolve(s, id, fp, err), ENOENT, "no finding");
	dh_findings_release(&all);
	dh_store_close(s);
}

static void ambiguous_ids(void **state)
{
	struct dh_store *s = open_store("ambiguous.db", DH_STORE_CREATE);
	uint64_t seed = 1;
	char fp[33];

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		struct dh_finding *f = gen_finding(i, &seed);

		snprintf(f->fingerprint, sizeof(f->fingerprint), "abcdef00%024llu",
			(unsigned long long)i);
		f->kind = DH_KIND_DATA_RACE;
		put_free(s, f);
	}
	assert_fails(dh_store_resolve(s, "abcdef", fp, err), ENOTUNIQ, "give more digits");
	dh_store_close(s);
}

static void suppressing(void **state)
{
	struct dh_store *s = filled("suppress.db", 1);
	struct dh_findings all, rest;
	struct dh_finding *f;
	uint64_t n = 0;
	const char *fp;

	(void)state;
	list(s, &(struct dh_store_query){0}, &all);
	fp = all.items[0]->fingerprint;
	assert_ok(dh_store_suppress(s, fp, true, "known", 100, err));
	list(s, &(struct dh_store_query){0}, &rest);
	assert_int_equal(rest.n, BUGS - 1);
	assert_string_equal(rest.items[0]->id, all.items[1]->id);
	assert_ok(dh_store_get(s, fp, &f, err));
	assert_true(f->suppressed);
	dh_finding_free(f);
	assert_ok(dh_store_count(s, &(struct dh_store_query){.suppressed = true}, &n, err));
	assert_int_equal(n, BUGS);
	/* The latest mark counts, whatever the order in which they arrive. */
	assert_ok(dh_store_suppress(s, fp, false, NULL, 90, err));
	assert_ok(dh_store_count(s, &(struct dh_store_query){0}, &n, err));
	assert_int_equal(n, BUGS - 1);
	assert_ok(dh_store_suppress(s, fp, false, NULL, 110, err));
	assert_ok(dh_store_count(s, &(struct dh_store_query){0}, &n, err));
	assert_int_equal(n, BUGS);
	/* What a person says now is the latest, even within one second or with a wrong clock. */
	assert_ok(dh_store_suppress(s, fp, true, NULL, INT64_C(1) << 40, err));
	assert_ok(dh_store_suppress(s, fp, false, NULL, 0, err));
	assert_ok(dh_store_suppress(s, fp, true, NULL, 0, err));
	assert_ok(dh_store_suppress(s, fp, false, NULL, 0, err));
	assert_ok(dh_store_count(s, &(struct dh_store_query){0}, &n, err));
	assert_int_equal(n, BUGS);
	dh_findings_release(&all);
	dh_findings_release(&rest);
	dh_store_close(s);
}

static void since(void **state)
{
	struct dh_store *old = filled("old.db", 1), *s = filled("new.db", 2);
	struct dh_store_query q = {.not_in_since = true};
	struct dh_findings fresh;
	uint64_t seed = 3, n;

	(void)state;
	dh_store_close(old);
	for (uint64_t i = BUGS; i < BUGS + 5; i++)
		put_bug(s, i, &seed);
	dh_store_close(s);
	s = open_store("new.db", DH_STORE_READ);
	assert_fails(dh_store_count(s, &q, &n, err), EINVAL, "compare");
	assert_ok(dh_store_since(s, in_dir("old.db"), err));
	list(s, &q, &fresh);
	assert_int_equal(fresh.n, 5);
	dh_findings_release(&fresh);
	assert_fails(dh_store_since(s, in_dir("none.db"), err), ENOENT, "no findings store");
	dh_store_close(s);
}

static void batches(void **state)
{
	struct dh_store *s = open_store("batch.db", DH_STORE_CREATE), *other;
	uint64_t seed = 1;
	struct dh_finding *bad = dh_finding_new(DH_KIND_DATA_RACE);

	(void)state;
	assert_ok(dh_store_begin(s, err));
	put_bug(s, 1, &seed);
	other = open_store("batch.db", DH_STORE_READ);
	assert_int_equal(count_all(other), 0);
	assert_ok(dh_store_commit(s, err));
	assert_int_equal(count_all(other), 1);
	assert_fails(dh_store_begin(other, err), EACCES, "reading only");
	dh_store_close(other);
	assert_ok(dh_store_begin(s, err));
	put_bug(s, 2, &seed);
	dh_store_abort(s);
	assert_int_equal(count_all(s), 1);
	assert_fails(dh_store_commit(s, err), ECANCELED, "dropped");
	/* Names that the dropped batch had given out are not used any more. */
	put_bug(s, 2, &seed);
	assert_int_equal(count_all(s), 2);
	assert_fails(dh_store_put(s, bad, err), EINVAL, "not sealed");
	dh_finding_seal(bad);
	assert_fails(dh_store_put(s, bad, err), EINVAL, "no evidence");
	dh_finding_free(bad);
	dh_store_close(s);
	s = open_store("batch.db", DH_STORE_CREATE);
	assert_ok(dh_store_begin(s, err));
	put_bug(s, 3, &seed);
	dh_store_close(s);
	s = open_store("batch.db", DH_STORE_READ);
	assert_int_equal(count_all(s), 2);
	dh_store_close(s);
	assert_intact("batch.db");
}

/* Bytes that are no UTF-8, and bytes that mean something to SQL, in every string. */
static void odd_strings(void **state)
{
	static const char odd[] = "/tmp/\xff\xfe'\";DROP TABLE finding;--%s\xc3.c";
	struct dh_store *s = open_store("odd.db", DH_STORE_CREATE);
	struct dh_finding *f = dh_finding_new(DH_KIND_PROCESS_RACE), *g;
	struct dh_findings some;

	(void)state;
	f->variable = f->object = odd;
	dh_finding_set_title(f, "%s", odd);
	dh_finding_add_site(f, &(struct dh_site){.at = {.file = odd, .function = odd}});
	dh_finding_add_evidence(
		f, &(struct dh_evidence){.by = odd, .budget = odd, .reproduce = odd, .note = odd});
	dh_finding_seal(f);
	assert_ok(dh_store_put(s, f, err));
	assert_ok(dh_store_get(s, f->fingerprint, &g, err));
	assert_string_equal(g->title, odd);
	assert_string_equal(g->sites[0].at.file, odd);
	assert_string_equal(g->evidence[0].by, odd);
	assert_string_equal(g->evidence[0].note, odd);
	list(s, &(struct dh_store_query){.origin = odd, .file = "*DROP TABLE*"}, &some);
	assert_int_equal(some.n, 1);
	dh_findings_release(&some);
	dh_finding_free(f);
	dh_finding_free(g);
	dh_store_close(s);
}

/* Patterns fit whole paths and their last parts, also of paths that begin at the root. */
static void files_by_pattern(void **state)
{
	static const struct {
		const char *pattern;
		size_t n;
	} cases[] = {{"dash", 1}, {"bin/da*", 1}, {"/usr/bin/dash", 1}, {"sh", 0}, {"/dash", 0}};
	struct dh_store *s = open_store("files.db", DH_STORE_CREATE);
	struct dh_finding *f = dh_finding_new(DH_KIND_PROCESS_RACE);

	(void)state;
	dh_finding_set_title(f, "a race");
	dh_finding_add_site(
		f, &(struct dh_site){.at = {.file = "/usr/bin/dash", .function = "openat"}});
	dh_finding_add_evidence(
		f, &(struct dh_evidence){.level = DH_LEVEL_PREDICTED, .by = "explore", .when = 1});
	dh_finding_seal(f);
	assert_int_equal(dh_store_put(s, f, NULL), 1);
	for (size_t i = 0; i < DH_ARRAY_SIZE(cases); i++) {
		struct dh_findings some;

		list(s, &(struct dh_store_query){.file = cases[i].pattern}, &some);
		assert_int_equal(some.n, cases[i].n);
		dh_findings_release(&some);
	}
	dh_finding_free(f);
	dh_store_close(s);
}

static void path_of_the_store(void **state)
{
	(void)state;
	unsetenv("DEADHEAT_DB");
	assert_string_equal(dh_store_path(NULL), ".deadheat/findings.db");
	setenv("DEADHEAT_DB", "", 1);
	assert_string_equal(dh_store_path(NULL), ".deadheat/findings.db");
	setenv("DEADHEAT_DB", "/x.db", 1);
	assert_string_equal(dh_store_path(NULL), "/x.db");
	assert_string_equal(dh_store_path("y.db"), "y.db");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back_whole),
		cmocka_unit_test(origins_add_up),
		cmocka_unit_test(timelines_are_kept),
		cmocka_unit_test(newer_descriptions_win),
		cmocka_unit_test(ranked),
		cmocka_unit_test(filters),
		cmocka_unit_test(ids_by_prefix),
		cmocka_unit_test(ambiguous_ids),
		cmocka_unit_test(suppressing),
		cmocka_unit_test(since),
		cmocka_unit_test(batches),
		cmocka_unit_test(odd_strings),
		cmocka_unit_test(files_by_pattern),
		cmocka_unit_test(path_of_the_store),
	};

	return cmocka_run_group_tests_name("store/store", tests, make_dir, remove_dir);
}
