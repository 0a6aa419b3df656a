/* Merging: idempotent, commutative, associative, and the same as putting everything into one. */
#include "../unit.h"

#include <errno.h>
#include <sys/stat.h>

#include "helper.h"

#define BUGS  40
#define PUTS  60
#define PARTS 3

/* A store of random findings, of which other stores have some too. */
static void make_store(const char *name, uint64_t seed, struct dh_store *all)
{
	struct dh_store *s = open_store(name, DH_STORE_CREATE);

	assert_ok(dh_store_begin(s, err));
	assert_ok(dh_store_begin(all, err));
	for (int i = 0; i < PUTS; i++) {
		struct dh_finding *f = gen_finding(gen_below(&seed, BUGS), &seed);
		bool on = gen_below(&seed, 2);
		int64_t when = 1 + (int64_t)gen_below(&seed, 5);

		assert_ok(dh_store_put(s, f, err));
		assert_ok(dh_store_put(all, f, err));
		if (gen_below(&seed, 4) == 0) {
			const char *reason = gen_below(&seed, 2) ? "known" : NULL;

			assert_ok(dh_store_suppress(s, f->fingerprint, on, reason, when, err));
			assert_ok(dh_store_suppress(all, f->fingerprint, on, reason, when, err));
		}
		dh_finding_free(f);
	}
	assert_ok(dh_store_commit(s, err));
	assert_ok(dh_store_commit(all, err));
	dh_store_close(s);
}

static void merge(const char *into, const char *from)
{
	struct dh_store *s = open_store(into, DH_STORE_CREATE);

	assert_ok(dh_store_merge(s, in_dir(from), NULL, err));
	dh_store_close(s);
}

static void same_content(const char *a, const char *b)
{
	char *x = dump_store(a), *y = dump_store(b);

	assert_true(strlen(x) > 1000);
	assert_string_equal(x, y);
	free(x);
	free(y);
}

static void laws(void **state)
{
	static const int orders[6][PARTS] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	static const char *const parts[PARTS] = {"p0.db", "p1.db", "p2.db"};
	struct dh_store *all = open_store("all.db", DH_STORE_CREATE);

	(void)state;
	for (uint64_t i = 0; i < PARTS; i++)
		make_store(parts[i], 100 + i, all);
	dh_store_close(all);
	for (int o = 0; o < 6; o++) {
		char name[16];

		snprintf(name, sizeof(name), "order%d.db", o);
		for (int i = 0; i < PARTS; i++)
			merge(name, parts[orders[o][i]]);
		same_content("all.db", name);
		/* Once more changes nothing, nor does a store that is the sum already. */
		merge(name, parts[orders[o][0]]);
		merge(name, "all.db");
		same_content("all.db", name);
		assert_intact(name);
	}
	/* (p0 + p1) + p2 = p0 + (p1 + p2), merged as stores of their own. */
	merge("12.db", parts[1]);
	merge("12.db", parts[2]);
	merge("0-12.db", parts[0]);
	merge("0-12.db", "12.db");
	same_content("all.db", "0-12.db");
}

static void puts_in_any_order(void **state)
{
	struct dh_finding *f[PUTS];
	struct dh_store *s = open_store("forward.db", DH_STORE_CREATE);
	uint64_t seed = 77;

	(void)state;
	for (int i = 0; i < PUTS; i++)
		f[i] = gen_finding(gen_below(&seed, 10), &seed);
	for (int i = 0; i < PUTS; i++)
		assert_ok(dh_store_put(s, f[i], err));
	dh_store_close(s);
	s = open_store("shuffled.db", DH_STORE_CREATE);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < PUTS; i++)
			assert_ok(dh_store_put(s, f[(i * 7 + round) % PUTS], err));
	}
	dh_store_close(s);
	same_content("forward.db", "shuffled.db");
	for (int i = 0; i < PUTS; i++)
		dh_finding_free(f[i]);
}

static void counts(void **state)
{
	struct dh_store *s = open_store("counts.db", DH_STORE_CREATE), *t;
	struct dh_store_merged m = {0};
	uint64_t seed = 1;

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		put_bug(s, i, &seed);
	t = open_store("more.db", DH_STORE_CREATE);
	for (uint64_t i = 3; i < 10; i++)
		put_bug(t, i, &seed);
	dh_store_close(t);
	assert_ok(dh_store_merge(s, in_dir("more.db"), &m, err));
	assert_int_equal(m.findings, 7);
	assert_int_equal(m.added, 5);
	assert_ok(dh_store_merge(s, in_dir("counts.db"), &m, err));
	assert_int_equal(m.findings, 10);
	assert_int_equal(m.added, 0);
	assert_fails(dh_store_merge(s, in_dir("none.db"), &m, err), ENOENT, "no findings store");
	assert_int_equal(count_all(s), 10);
	dh_store_close(s);
}

/* The other store is not changed, nor needs it be writable. */
static void sources_stay_as_they_are(void **state)
{
	struct dh_store *s = open_store("ro/findings.db", DH_STORE_CREATE);
	uint64_t seed = 1;
	struct stat before, after;

	(void)state;
	put_bug(s, 1, &seed);
	dh_store_close(s);
	assert_int_equal(chmod(in_dir("ro/findings.db"), 0444), 0);
	assert_int_equal(chmod(in_dir("ro"), 0555), 0);
	assert_int_equal(stat(in_dir("ro/findings.db"), &before), 0);
	merge("target.db", "ro/findings.db");
	assert_int_equal(stat(in_dir("ro/findings.db"), &after), 0);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_equal(chmod(in_dir("ro"), 0755), 0);
	s = open_store("target.db", DH_STORE_READ);
	assert_int_equal(count_all(s), 1);
	dh_store_close(s);
}

/* A store that lies about a description is refused, and nothing of it stays. */
static void damaged_sources(void **state)
{
	struct dh_store *s = open_store("liar.db", DH_STORE_CREATE);
	uint64_t seed = 1;
	sqlite3 *db;

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		put_bug(s, i, &seed);
	dh_store_close(s);
	assert_int_equal(sqlite3_open(in_dir("liar.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				 "UPDATE part SET body = x'ff00ff' WHERE key = (SELECT max(key) "
				 "FROM part)",
				 NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	s = open_store("honest.db", DH_STORE_CREATE);
	assert_fails(dh_store_merge(s, in_dir("liar.db"), NULL, err), EBADMSG, "liar.db");
	assert_int_equal(count_all(s), 0);
	dh_store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(laws),
		cmocka_unit_test(puts_in_any_order),
		cmocka_unit_test(counts),
		cmocka_unit_test(sources_stay_as_they_are),
		cmocka_unit_test(damaged_sources),
	};

	return cmocka_run_group_tests_name("store/merge", tests, make_dir, remove_dir);
}
