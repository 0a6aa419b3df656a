/* Stores that cannot be used: a clear message, the right code, and nothing is lost. */
#include "../unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/schema.h"

#include "helper.h"

static void fill(const char *name, uint64_t n)
{
	struct dh_store *s = open_store(name, DH_STORE_CREATE);
	uint64_t seed = 1;

	assert_ok(dh_store_begin(s, err));
	for (uint64_t i = 0; i < n; i++)
		put_bug(s, i, &seed);
	assert_ok(dh_store_commit(s, err));
	dh_store_close(s);
}

static void sql(const char *name, const char *text)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_dir(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void not_a_store(void **state)
{
	struct dh_store *s;

	(void)state;
	assert_fails(
		dh_store_open(in_dir("none.db"), DH_STORE_READ, &s, err), ENOENT, "check the name");
	assert_fails(dh_store_open(in_dir("none.db"), DH_STORE_WRITE, &s, err), ENOENT,
		"check the name");
	assert_int_equal(access(in_dir("none.db"), F_OK), -1);
	assert_fails(dh_store_open(helper_dir, DH_STORE_READ, &s, err), EBADMSG, "not a file");
	assert_int_equal(dh_write_file_atomic(in_dir("text.db"), "hello, world\n", 13, NULL), 0);
	assert_fails(dh_store_open(in_dir("text.db"), DH_STORE_READ, &s, err), EBADMSG, "text.db");
	assert_fails(
		dh_store_open(in_dir("text.db"), DH_STORE_CREATE, &s, err), EBADMSG, "text.db");
	sql("other.db", "CREATE TABLE bookmarks(url)");
	assert_fails(dh_store_open(in_dir("other.db"), DH_STORE_CREATE, &s, err), EBADMSG,
		"not a findings store");
	/* An empty file is an empty store. */
	assert_int_equal(dh_write_file_atomic(in_dir("empty.db"), "", 0, NULL), 0);
	s = open_store("empty.db", DH_STORE_READ);
	assert_int_equal(count_all(s), 0);
	dh_store_close(s);
}

static void newer_schema(void **state)
{
	struct dh_store *s;
	char *before, *after;

	(void)state;
	fill("newer.db", 3);
	sql("newer.db", "PRAGMA user_version = 99");
	before = dump_store("newer.db");
	for (int mode = DH_STORE_READ; mode <= DH_STORE_CREATE; mode++)
		assert_fails(dh_store_open(in_dir("newer.db"), (enum dh_store_mode)mode, &s, err),
			EPROTO, "schema 99");
	after = dump_store("newer.db");
	assert_string_equal(before, after);
	free(before);
	free(after);
	sql("newer.db", "PRAGMA user_version = -1");
	assert_fails(
		dh_store_open(in_dir("newer.db"), DH_STORE_READ, &s, err), EBADMSG, "negative");
}

/* The steps of the schema, with a made-up future one. */
static void migrations(void **state)
{
	struct dh_schema_step steps[DH_SCHEMA_VERSION + 1];
	struct dh_schema_info info;
	sqlite3 *db;

	(void)state;
	fill("grows.db", 3);
	memcpy(steps, dh_schema_steps, sizeof(dh_schema_steps));
	steps[DH_SCHEMA_VERSION].sql = "ALTER TABLE finding ADD COLUMN mood TEXT; SELECT wrong";
	assert_int_equal(sqlite3_open(in_dir("grows.db"), &db), SQLITE_OK);
	/* A step that fails half-way leaves the version and the tables as they were. */
	assert_int_not_equal(dh_schema_upgrade(db, steps, DH_SCHEMA_VERSION + 1), SQLITE_OK);
	assert_int_equal(dh_schema_read(db, &info), SQLITE_OK);
	assert_int_equal(info.version, DH_SCHEMA_VERSION);
	assert_int_not_equal(
		sqlite3_exec(db, "SELECT mood FROM finding", NULL, NULL, NULL), SQLITE_OK);
	steps[DH_SCHEMA_VERSION].sql = "ALTER TABLE finding ADD COLUMN mood TEXT";
	assert_int_equal(dh_schema_upgrade(db, steps, DH_SCHEMA_VERSION + 1), SQLITE_OK);
	assert_int_equal(dh_schema_upgrade(db, steps, DH_SCHEMA_VERSION + 1), SQLITE_OK);
	assert_int_equal(dh_schema_read(db, &info), SQLITE_OK);
	assert_int_equal(info.version, DH_SCHEMA_VERSION + 1);
	assert_int_equal(info.application, DH_SCHEMA_APPLICATION);
	assert_int_equal(sqlite3_exec(db, "SELECT mood FROM finding", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static int read_all(const char *name)
{
	struct dh_store_query q = {.suppressed = true};
	struct dh_store *s;
	struct dh_store_cursor *c;
	struct dh_finding *f;
	struct dh_error err = DH_ERROR_INIT;
	int r = dh_store_open(in_dir(name), DH_STORE_READ, &s, &err);

	if (r < 0)
		return r;
	r = dh_store_cursor_open(s, &q, &c, &err);
	if (r == 0) {
		while ((r = dh_store_cursor_next(c, &f, &err)) > 0)
			dh_finding_free(f);
		dh_store_cursor_free(c);
	}
	if (r < 0)
		assert_true(err.text[0] != 0);
	dh_store_close(s);
	return r;
}

/* A store as the first version made it: read as it is, and brought up to date by a writer. */
static void first_version(void **state)
{
	char *before, *after;
	struct dh_store *s;
	struct dh_schema_info info;
	sqlite3 *db;

	(void)state;
	fill("first.db", 40);
	before = dump_store("first.db");
	assert_int_equal(sqlite3_open(in_dir("first.db"), &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_exec(db,
			"CREATE TABLE old(file INTEGER NOT NULL, finding INTEGER NOT NULL,"
			" PRIMARY KEY(file, finding)) STRICT, WITHOUT ROWID;"
			"INSERT INTO old SELECT key >> 40, key & 1099511627775 FROM place;"
			"DROP TABLE place; ALTER TABLE old RENAME TO place;"
			"DROP INDEX finding_rank; CREATE INDEX finding_rank ON"
			" finding(urgency DESC, score DESC, fp, kind); PRAGMA user_version = 1",
			NULL, NULL, NULL),
		SQLITE_OK);
	s = open_store("first.db", DH_STORE_READ);
	assert_int_equal(count_all(s), 40);
	dh_store_close(s);
	assert_int_equal(dh_schema_read(db, &info), SQLITE_OK);
	assert_int_equal(info.version, 1);
	sqlite3_close(db);
	dh_store_close(open_store("first.db", DH_STORE_CREATE));
	after = dump_store("first.db");
	assert_string_equal(after, before);
	assert_intact("first.db");
	free(before);
	free(after);
}

/* Pages overwritten with noise: refused or read as far as it makes sense, but never a crash. */
static void damaged_pages(void **state)
{
	struct dh_buf good = DH_BUF_INIT;
	uint64_t seed = 9;
	unsigned refused = 0;

	(void)state;
	fill("whole.db", 400);
	assert_int_equal(dh_read_file(in_dir("whole.db"), 1 << 24, &good, NULL), 0);
	for (int i = 0; i < 100; i++) {
		struct dh_buf bad = DH_BUF_INIT;
		size_t at = gen_below(&seed, good.len / 512) * 512;
		int r;

		dh_buf_add(&bad, good.data, i % 10 ? good.len : gen_below(&seed, good.len));
		for (size_t k = at; i % 10 && k < at + 512; k++)
			bad.data[k] = (char)gen_next(&seed);
		assert_int_equal(
			dh_write_file_atomic(in_dir("bad.db"), bad.data, bad.len, NULL), 0);
		r = read_all("bad.db");
		if (r < 0 && r != -EBADMSG && r != -EPROTO)
			fail_msg("round %d: %s", i, strerror(-r));
		refused += r < 0;
		dh_buf_release(&bad);
	}
	dh_buf_release(&good);
	assert_true(refused > 30);
}

/* As an ordinary user, since root may write everywhere. */
static void run_as_nobody(void (*test)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		if (getuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(77);
		test();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
}

#define child_check(condition)                                                                     \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static void unwritable_child(void)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store *s;
	uint64_t seed = 1;
	struct dh_finding *f = gen_finding(50, &seed);
	int r = dh_store_open(in_dir("locked/new.db"), DH_STORE_CREATE, &s, &err);

	child_check(r == -EACCES && strstr(err.text, "locked/new.db"));
	r = dh_store_open(in_dir("locked/sub/new.db"), DH_STORE_CREATE, &s, &err);
	child_check(r == -EACCES && strstr(err.text, "locked"));
	/* Reading what is there works, writing to it says why not. */
	r = dh_store_open(in_dir("locked/findings.db"), DH_STORE_READ, &s, &err);
	child_check(r == 0);
	dh_store_close(s);
	r = dh_store_open(in_dir("locked/findings.db"), DH_STORE_WRITE, &s, &err);
	if (r == 0) {
		r = dh_store_put(s, f, &err);
		dh_store_close(s);
	}
	child_check(r == -EACCES && strstr(err.text, "permissions"));
	r = dh_store_open(in_dir("secret.db"), DH_STORE_READ, &s, &err);
	child_check(r == -EACCES && strstr(err.text, "secret.db"));
	dh_finding_free(f);
}

static void unwritable(void **state)
{
	(void)state;
	assert_int_equal(chmod(helper_dir, 0755), 0);
	fill("locked/findings.db", 3);
	fill("secret.db", 3);
	assert_int_equal(chmod(in_dir("secret.db"), 0), 0);
	assert_int_equal(chmod(in_dir("locked"), 0555), 0);
	run_as_nobody(unwritable_child);
	assert_int_equal(chmod(in_dir("locked"), 0755), 0);
	assert_intact("locked/findings.db");
}

/* Puts batches until one fails; returns how many findings were committed. */
static uint64_t put_until_full(const char *path, int *ret)
{
	struct dh_error err = DH_ERROR_INIT;
	struct dh_store *s;
	uint64_t seed = 1, done = 0;
	int r = dh_store_open(path, DH_STORE_CREATE, &s, &err);

	if (r < 0) {
		*ret = r;
		return 0;
	}
	while (r >= 0 && done < 100000) {
		r = dh_store_begin(s, &err);
		for (uint64_t i = 0; r >= 0 && i < 50; i++) {
			struct dh_finding *f = gen_finding(done + i, &seed);

			r = dh_store_put(s, f, &err);
			dh_finding_free(f);
		}
		if (r >= 0)
			r = dh_store_commit(s, &err);
		if (r >= 0)
			done += 50;
	}
	child_check(r == -ENOSPC && strstr(err.text, "no space left"));
	/* The handle is still good for reading. */
	uint64_t n = 0;

	r = dh_store_count(s, &(struct dh_store_query){0}, &n, &err);
	child_check(r == 0 && n == done);
	dh_store_close(s);
	*ret = -ENOSPC;
	return done;
}

static uint64_t in_child(uint64_t (*run)(void))
{
	int fds[2], status;
	uint64_t n = 0;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		n = run();
		child_check(write(fds[1], &n, sizeof(n)) == sizeof(n));
		_exit(0);
	}
	close(fds[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(status, 0);
	assert_int_equal(dh_read_full(fds[0], &n, sizeof(n)), sizeof(n));
	close(fds[0]);
	return n;
}

static uint64_t small_files(void)
{
	struct rlimit limit = {1 << 20, 1 << 20};
	uint64_t n;
	int r;

	signal(SIGXFSZ, SIG_IGN);
	child_check(setrlimit(RLIMIT_FSIZE, &limit) == 0);
	n = put_until_full(in_dir("limited.db"), &r);
	child_check(r == -ENOSPC);
	return n;
}

static void file_size_limit(void **state)
{
	uint64_t n = in_child(small_files);
	struct dh_store *s = open_store("limited.db", DH_STORE_CREATE);
	uint64_t seed = 2;

	(void)state;
	assert_true(n >= 50);
	assert_int_equal(count_all(s), n);
	/* With room again, it goes on where it stopped. */
	put_bug(s, 200000, &seed);
	assert_int_equal(count_all(s), n + 1);
	dh_store_close(s);
	assert_intact("limited.db");
}

static uint64_t small_disk(void)
{
	struct dh_store *s;
	uint64_t n, again = 0;
	int r;

	if (unshare(CLONE_NEWNS | (getuid() ? CLONE_NEWUSER : 0)) < 0)
		_exit(77);
	mkdir(in_dir("disk"), 0755);
	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		mount("tmpfs", in_dir("disk"), "tmpfs", 0, "size=1m") < 0)
		_exit(77);
	n = put_until_full(in_dir("disk/findings.db"), &r);
	child_check(n >= 50);
	child_check(dh_store_open(in_dir("disk/findings.db"), DH_STORE_READ, &s, NULL) == 0);
	child_check(dh_store_count(s, &(struct dh_store_query){0}, &again, NULL) == 0);
	child_check(again == n);
	dh_store_close(s);
	return n;
}

static void full_disk(void **state)
{
	(void)state;
	assert_true(in_child(small_disk) >= 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(not_a_store),
		cmocka_unit_test(newer_schema),
		cmocka_unit_test(migrations),
		cmocka_unit_test(first_version),
		cmocka_unit_test(damaged_pages),
		cmocka_unit_test(unwritable),
		cmocka_unit_test(file_size_limit),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("store/bad", tests, make_dir, remove_dir);
}
