/* The cache of summaries: valid while the files are the same, and never trusted; changed lines. */
#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/fd.h"
#include "scan/extract/cache.h"
#include "scan/extract/changed.h"
#include "scan/extract/pack.h"
#include "scan/ir/build.h"
#include "scan/ir/summary.h"

static char dir[64], *cache_dir, *source;
static struct dh_scan_key key;

static int set_up(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/deadheat-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	cache_dir = dh_asprintf("%s/cache", dir);
	source = dh_asprintf("%s/a.c", dir);
	assert_int_equal(dh_scan_write_file(source, "int x;\n", 7, NULL), 0);
	key = dh_scan_key((const char *const[]){"clang", "-DX", NULL});
	return 0;
}

static int tear_down(void **state)
{
	dh_remove_tree(dir);
	free(cache_dir);
	free(source);
	return 0;
}

static void put_part(struct dh_buf *out, const void *bytes, uint64_t n)
{
	dh_buf_add(out, &n, sizeof(n));
	dh_buf_add(out, bytes, n);
}

static void add_function(struct dh_scan_program *p, const char *name)
{
	struct dh_scan_build *b = dh_scan_build_new(p, dh_scan_function_symbol(p, name), "a.c", 1);

	dh_scan_build_return(b, 0);
	dh_scan_build_end(b);
}

/* What the helper would write for a unit with the function own and the shared function common. */
static void helper_output(struct dh_buf *out, const char *own)
{
	struct dh_scan_program *p = dh_scan_program_new();
	DH_BUF struct dh_buf one = DH_BUF_INIT;

	add_function(p, own);
	add_function(p, "common");
	dh_scan_unit_add(p, "a.c", 1);
	put_part(out, source, strlen(source) + 1);
	dh_scan_summary_write(p, (uint32_t[]){1}, 1, true, &one);
	put_part(out, one.data, one.len);
	dh_buf_clear(&one);
	dh_scan_summary_write(p, (uint32_t[]){2}, 1, false, &one);
	put_part(out, one.data, one.len);
	dh_scan_program_free(p);
}

static void store(const struct dh_scan_key *k, const char *own)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	struct dh_scan_cache *c;

	assert_int_equal(dh_scan_cache_open(cache_dir, &c, NULL), 0);
	helper_output(&out, own);
	assert_int_equal(dh_scan_cache_store(c, k, out.data, out.len, NULL), 0);
	dh_scan_cache_close(c);
}

/* How many functions a new run gets from the cache; -1: the unit is not there. */
static int functions(const struct dh_scan_key *k)
{
	struct dh_scan_program *p = dh_scan_program_new();
	struct dh_scan_cache *c;
	char *why = NULL;
	int n;

	assert_int_equal(dh_scan_cache_open(cache_dir, &c, NULL), 0);
	n = dh_scan_cache_load(c, k, p) ? (int)p->n_functions - 1 : -1;
	assert_int_equal(dh_scan_cache_has(c, k, &why), n >= 0);
	assert_null(why);
	dh_scan_cache_close(c);
	dh_scan_program_free(p);
	return n;
}

static void test_found_again(void **state)
{
	struct dh_scan_key other = dh_scan_key((const char *const[]){"clang", "-DY", NULL});

	assert_int_equal(functions(&key), -1);
	store(&key, "own");
	assert_int_equal(functions(&key), 2);
	assert_int_equal(functions(&other), -1);
	/* Where one string ends and the next begins matters. */
	other = dh_scan_key((const char *const[]){"clan", "g-DX", NULL});
	assert_string_not_equal(other.hex, key.hex);
}

static void test_changed_file(void **state)
{
	store(&key, "own");
	assert_int_equal(dh_scan_write_file(source, "int y;\n", 7, NULL), 0);
	assert_int_equal(functions(&key), -1);
	assert_int_equal(dh_scan_write_file(source, "int x;\n", 7, NULL), 0);
	assert_int_equal(functions(&key), 2);
	unlink(source);
	assert_int_equal(functions(&key), -1);
}

static void test_shared_once(void **state)
{
	struct dh_scan_key other = dh_scan_key((const char *const[]){"other", NULL});
	struct dh_scan_program *p = dh_scan_program_new();
	struct dh_scan_cache *c;

	store(&key, "own");
	store(&other, "another");
	assert_int_equal(dh_scan_cache_open(cache_dir, &c, NULL), 0);
	assert_true(dh_scan_cache_load(c, &key, p));
	assert_true(dh_scan_cache_load(c, &other, p));
	assert_int_equal(p->n_functions - 1, 3);
	assert_int_equal(dh_scan_cache_stats(c).shared, 1);
	assert_int_equal(dh_scan_cache_stats(c).shared_uses, 2);
	dh_scan_cache_close(c);
	dh_scan_program_free(p);
}

/* Every byte of a unit's file and of the shared functions, changed one at a time. */
static void damage(const char *path)
{
	DH_BUF struct dh_buf bytes = DH_BUF_INIT;

	assert_int_equal(dh_read_file(path, 1 << 20, &bytes, NULL), 0);
	for (size_t i = 0; i < bytes.len; i++) {
		bytes.data[i] ^= 0x40;
		assert_int_equal(dh_scan_write_file(path, bytes.data, bytes.len, NULL), 0);
		assert_int_equal(functions(&key), -1);
		bytes.data[i] ^= 0x40;
		assert_int_equal(dh_scan_write_file(path, bytes.data, i, NULL), 0);
		assert_int_equal(functions(&key), -1);
		/* Reading damaged files may mend them; the next round begins with whole ones. */
		assert_int_equal(dh_scan_write_file(path, bytes.data, bytes.len, NULL), 0);
	}
	assert_int_equal(functions(&key), 2);
}

static void test_damage(void **state)
{
	DH_FREE char *unit = dh_asprintf("%s/units/%s", cache_dir, key.hex);
	DH_FREE char *shared = dh_asprintf("%s/shared", cache_dir);

	store(&key, "own");
	damage(unit);
	damage(shared);
}

static void test_damaged_output(void **state)
{
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	struct dh_scan_cache *c;

	assert_int_equal(dh_scan_cache_open(cache_dir, &c, NULL), 0);
	assert_int_equal(dh_scan_cache_store(c, &key, "", 0, NULL), -EBADMSG);
	helper_output(&out, "own");
	out.data[1] = 1;
	assert_int_equal(dh_scan_cache_store(c, &key, out.data, out.len, NULL), -EBADMSG);
	dh_scan_cache_close(c);
}

/* What nobody uses any more goes when it is most of the file. */
static void test_prune(void **state)
{
	DH_FREE char *path = dh_asprintf("%s/pack", dir), *large = dh_zalloc(1 << 20);
	struct dh_scan_pack *p;
	struct dh_map live = DH_MAP_INIT;
	DH_BUF struct dh_buf out = DH_BUF_INIT;
	uint8_t keep[16], drop[16];
	uint64_t low;

	assert_int_equal(dh_scan_pack_open(path, &p, NULL), 0);
	assert_int_equal(dh_scan_pack_add(p, "kept", 4, keep, NULL), 0);
	assert_int_equal(dh_scan_pack_add(p, large, 1 << 20, drop, NULL), 0);
	memcpy(&low, drop, sizeof(low));
	dh_map_set(&live, low, 1);
	dh_scan_pack_prune(p, &live);
	assert_true(dh_scan_pack_has(p, keep));
	memcpy(&low, keep, sizeof(low));
	dh_map_clear(&live);
	dh_map_set(&live, low, 1);
	dh_scan_pack_prune(p, &live);
	dh_scan_pack_close(p);
	assert_int_equal(dh_scan_pack_open(path, &p, NULL), 0);
	assert_false(dh_scan_pack_has(p, drop));
	assert_int_equal(dh_scan_pack_get(p, keep, &out), 0);
	assert_string_equal(dh_buf_str(&out), "kept");
	assert_int_equal(dh_scan_pack_count(p), 1);
	dh_scan_pack_close(p);
	dh_map_release(&live);
}

static void test_changed_lines(void **state)
{
	static const char diff[] = "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n"
				   "@@ -3 +3,2 @@ f()\n-a\n+b\n+c\n@@ -10,2 +11,0 @@\n-d\n-e\n"
				   "diff --git a/gone.c b/gone.c\n--- a/gone.c\n+++ /dev/null\n"
				   "@@ -1 +0,0 @@\n-x\n";
	struct dh_scan_changes c;

	dh_scan_changes_init(&c);
	assert_int_equal(dh_scan_changes_parse(&c, diff, NULL), 0);
	assert_false(dh_scan_changes_have(&c, "x.c", 2));
	assert_true(dh_scan_changes_have(&c, "x.c", 3));
	assert_true(dh_scan_changes_have(&c, "x.c", 4));
	assert_false(dh_scan_changes_have(&c, "x.c", 5));
	assert_true(dh_scan_changes_have(&c, "x.c", 11));
	assert_true(dh_scan_changes_have(&c, "x.c", 12));
	assert_false(dh_scan_changes_have(&c, "x.c", 13));
	assert_false(dh_scan_changes_have(&c, "gone.c", 0));
	assert_false(dh_scan_changes_have(&c, "y.c", 3));
	assert_false(dh_scan_changes_have(&c, NULL, 3));
	dh_scan_changes_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_found_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_changed_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_shared_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damage, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_prune, set_up, tear_down),
		cmocka_unit_test(test_changed_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
