/* Opening, closing, batches, and what SQLite's errors mean to a person. */
#include "store/internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fd.h"
#include "store/schema.h"

#define BUSY_MS 30000
/* Fingerprints fall anywhere in their index; fewer, larger pages make finding a place for one
 * cheaper.  Stores that exist keep the size that they were made with. */
#define PAGE_SIZE "8192"
/* A batch of fingerprints touches nearly every page of their index: folding the log back seldom (at
 * 512 MiB) writes those pages once for several batches.  Small stores never come near to it. */
#define CHECKPOINT_PAGES "64000"
#define CACHE_KIB        "131072"
/* No statement, row or string that the store writes comes near to this. */
#define MAX_ROW (8 << 20)

const char *dh_store_path(const char *option)
{
	const char *env = getenv("DEADHEAT_DB");

	if (option)
		return option;
	return env && env[0] ? env : DH_STORE_DEFAULT;
}

/* Of all failures of a write, SQLite gives a name to ENOSPC only, and loses the number of the
 * others: a quota, a limit of the file size, a failing disk. */
static bool write_failed(int rc, int sys)
{
	if (sys)
		return sys == ENOSPC || sys == EDQUOT || sys == EFBIG;
	return rc == SQLITE_IOERR_WRITE || rc == SQLITE_IOERR_SHMSIZE || rc == SQLITE_IOERR_FSYNC;
}

static int errno_of(sqlite3 *db, int rc)
{
	int sys = db ? sqlite3_system_errno(db) : 0;

	switch (rc & 0xff) {
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
	case SQLITE_FORMAT:
	case SQLITE_ERROR: /* our statements are right, so the tables are not ours */
	case SQLITE_MISMATCH:
	case SQLITE_CONSTRAINT:
		return EBADMSG;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return EBUSY;
	case SQLITE_READONLY:
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return EACCES;
	case SQLITE_CANTOPEN:
		/* After a refusal SQLite tries to read only, and finds nothing to read. */
		return sys && sys != ENOENT ? sys : EACCES;
	case SQLITE_TOOBIG:
		return E2BIG;
	case SQLITE_NOMEM:
		return ENOMEM;
	case SQLITE_IOERR:
		return write_failed(rc, sys) ? ENOSPC : EIO;
	default:
		return EIO;
	}
}

int dh_store_fail_db(sqlite3 *db, const char *path, int rc, struct dh_error *err)
{
	int code = errno_of(db, rc);
	const char *words = db ? sqlite3_errmsg(db) : sqlite3_errstr(rc);

	switch (code) {
	case ENOSPC:
		return dh_error_set(err, code,
			"%s cannot be written: no space left (full disk, quota or file size limit)"
			", or a failing disk; the store is as it was: make room and run again",
			path);
	case EBADMSG:
		return dh_error_set(err, code,
			"%s is damaged or not a findings store (%s): move it away, or save what is "
			"left with 'sqlite3 FILE .recover'",
			path, words);
	case EBUSY:
		return dh_error_set(err, code,
			"%s: another process has been writing for more than %d seconds; try again",
			path, BUSY_MS / 1000);
	case EACCES:
	case EROFS:
	case EPERM:
		return dh_error_set(err, code,
			"%s cannot be written or opened (%s): check its permissions and those of "
			"its folder, or name another with --db",
			path, words);
	default:
		return dh_error_set(err, code, "%s: %s (%s)", path, words, strerror(code));
	}
}

int dh_store_fail(struct dh_store *s, struct dh_error *err)
{
	int ret = dh_store_fail_db(s->db, s->path, sqlite3_extended_errcode(s->db), err);

	/* A failed step must not leave half of a batch behind. */
	if (s->in_batch)
		dh_store_abort(s);
	return ret;
}

int dh_store_damaged(struct dh_store *s, const char *what, struct dh_error *err)
{
	if (s->in_batch)
		dh_store_abort(s);
	return dh_error_set(err, EBADMSG,
		"%s is damaged (%s): move it away, or save what is left with "
		"'sqlite3 FILE .recover'",
		s->path, what);
}

int dh_store_exec(struct dh_store *s, const char *sql, struct dh_error *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : dh_store_fail(s, err);
}

int dh_store_run(struct dh_store *s, sqlite3_stmt *st, struct dh_error *err)
{
	int rc = sqlite3_step(st), ret = 0;

	if (rc != SQLITE_DONE)
		ret = dh_store_fail(s, err);
	sqlite3_reset(st);
	return ret;
}

/* The database is untrusted: nothing in its schema may run, sizes are bounded. */
static void harden(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MAX_ROW);
	sqlite3_exec(db, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
	sqlite3_busy_timeout(db, BUSY_MS);
}

static int check_schema(struct dh_store *s, struct dh_schema_info *ret, struct dh_error *err)
{
	struct dh_schema_info info;
	int rc = dh_schema_read(s->db, &info);

	if (rc != SQLITE_OK)
		return dh_store_fail_db(s->db, s->path, rc, err);
	if (info.application != DH_SCHEMA_APPLICATION && !info.empty)
		return dh_error_set(err, EBADMSG,
			"%s is an SQLite database, but not a findings store: name another with "
			"--db",
			s->path);
	if (info.version > DH_SCHEMA_VERSION)
		return dh_error_set(err, EPROTO,
			"%s was written by a newer deadheat (schema %lld, this one knows %d): "
			"update deadheat, or name another store with --db",
			s->path, (long long)info.version, DH_SCHEMA_VERSION);
	if (info.version < 0)
		return dh_store_damaged(s, "its schema version is negative", err);
	*ret = info;
	return 0;
}

/* SQLite does not wait for others when it changes the journal mode, so we do. */
static int set_wal(struct dh_store *s, struct dh_error *err)
{
	int rc = SQLITE_OK;

	for (int waited = 0; waited <= BUSY_MS; waited += 10) {
		rc = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if ((rc & 0xff) != SQLITE_BUSY && (rc & 0xff) != SQLITE_LOCKED)
			break;
		usleep(10000);
	}
	return rc == SQLITE_OK ? 0 : dh_store_fail(s, err);
}

/* Nobody asks SQLite how much memory it has, and counting takes a lock for every allocation.
 * Too late when somebody else used SQLite before: then it just counts. */
static void configure(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static int open_db(struct dh_store *s, const char *name, int flags, struct dh_error *err)
{
	int rc = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL), ret;

	if (rc == SQLITE_OK) {
		harden(s->db);
		return 0;
	}
	ret = dh_store_fail_db(s->db, s->path, rc, err);
	sqlite3_close(s->db);
	s->db = NULL;
	return ret;
}

static int open_writer(struct dh_store *s, struct dh_error *err)
{
	bool create = s->mode == DH_STORE_CREATE;
	struct dh_schema_info info = {0};
	int ret =
		open_db(s, s->path, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), err);
	int rc;

	if (ret == 0)
		ret = dh_store_exec(s, "PRAGMA page_size = " PAGE_SIZE, err);
	if (ret == 0)
		ret = check_schema(s, &info, err);
	if (ret == 0)
		ret = set_wal(s, err);
	if (ret < 0)
		return ret;
	/* NORMAL: a killed process loses nothing that it committed; a power cut may take the last
	 * batches, but never the whole. */
	ret = dh_store_exec(s,
		"PRAGMA synchronous = NORMAL;"
		"PRAGMA wal_autocheckpoint = " CHECKPOINT_PAGES ";"
		"PRAGMA cache_size = -" CACHE_KIB,
		err);
	if (ret < 0 || info.version == DH_SCHEMA_VERSION)
		return ret;
	rc = dh_schema_upgrade(s->db, dh_schema_steps, DH_SCHEMA_VERSION);
	return rc == SQLITE_OK ? 0 : dh_store_fail(s, err);
}

/* An SQLite URI of the path; the bytes that have a meaning there are escaped. */
static char *uri_of(const char *path, const char *query)
{
	struct dh_buf b = DH_BUF_INIT;

	dh_buf_adds(&b, path[0] == '/' ? "file://" : "file:");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			dh_buf_addf(&b, "%%%02x", (unsigned char)*path);
		else
			dh_buf_addc(&b, *path);
	}
	dh_buf_adds(&b, query);
	return dh_buf_steal(&b);
}

/* A store in a folder that we may not write to: SQLite then cannot make the files through which
 * readers and writers meet, but without a log beside it nobody is writing. */
static int open_immutable(struct dh_store *s, struct dh_error *err)
{
	DH_FREE char *log = dh_asprintf("%s-wal", s->path), *uri = NULL;
	struct stat st;

	if (stat(log, &st) == 0 && st.st_size)
		return dh_error_set(err, EACCES,
			"%s has changes in %s that cannot be read from a folder without write "
			"permission: copy both files elsewhere and name the copy",
			s->path, log);
	uri = uri_of(s->path, "?immutable=1");
	return open_db(s, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
}

/* An older store is not changed by reading it: a copy in memory is brought up to date. */
static int upgrade_copy(struct dh_store *s, struct dh_error *err)
{
	sqlite3 *copy = NULL;
	sqlite3_backup *b;
	int rc = sqlite3_open(":memory:", &copy);

	if (rc == SQLITE_OK) {
		b = sqlite3_backup_init(copy, "main", s->db, "main");
		if (b) {
			sqlite3_backup_step(b, -1);
			sqlite3_backup_finish(b);
		}
		rc = sqlite3_errcode(copy);
	}
	if (rc == SQLITE_OK)
		rc = dh_schema_upgrade(copy, dh_schema_steps, DH_SCHEMA_VERSION);
	if (rc != SQLITE_OK) {
		dh_store_fail_db(copy, s->path, rc, err);
		sqlite3_close(copy);
		return -EBADMSG;
	}
	sqlite3_close(s->db);
	s->db = copy;
	harden(copy);
	return 0;
}

static int open_reader(struct dh_store *s, struct dh_error *err)
{
	struct dh_schema_info info = {0};
	int ret = open_db(s, s->path, SQLITE_OPEN_READONLY, err);

	if (ret == 0)
		ret = check_schema(s, &info, err);
	if (ret == -EACCES || ret == -EROFS || ret == -EPERM) {
		if (access(s->path, R_OK) < 0)
			return ret;
		sqlite3_close(s->db);
		s->db = NULL;
		ret = open_immutable(s, err);
		if (ret == 0)
			ret = check_schema(s, &info, err);
	}
	if (ret == 0 && info.version < DH_SCHEMA_VERSION)
		ret = upgrade_copy(s, err);
	return ret;
}

static int make_folder(const char *path, struct dh_error *err)
{
	DH_FREE char *dir = dh_strdup(path);
	char *slash = strrchr(dir, '/');
	int r;

	if (!slash || slash == dir)
		return 0;
	*slash = 0;
	r = dh_mkdir_p(dir, 0777, err);
	return r < 0 ? dh_error_prefix(err, r, "cannot make the findings store %s", path) : 0;
}

static int check_file(const char *path, enum dh_store_mode mode, struct dh_error *err)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return dh_error_set(err, errno, "%s: %s", path, strerror(errno));
		if (mode == DH_STORE_CREATE)
			return make_folder(path, err);
		return dh_error_set(err, ENOENT,
			"there is no findings store at %s: check the name, or run a detector first "
			"(deadheat --help)",
			path);
	}
	if (!S_ISREG(st.st_mode))
		return dh_error_set(
			err, EBADMSG, "%s is not a file: name a findings store with --db", path);
	return 0;
}

int dh_store_open(
	const char *path, enum dh_store_mode mode, struct dh_store **ret, struct dh_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct dh_store *s;
	int r = check_file(path, mode, err);

	if (r < 0)
		return r;
	pthread_once(&once, configure);
	s = dh_new(struct dh_store);
	s->path = dh_strdup(path);
	s->mode = mode;
	s->body = dh_new(struct dh_buf);
	r = mode == DH_STORE_READ ? open_reader(s, err) : open_writer(s, err);
	if (r == 0)
		r = dh_store_names_init(s, err);
	if (r < 0) {
		dh_store_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

void dh_store_close(struct dh_store *s)
{
	if (!s)
		return;
	if (s->in_batch)
		dh_store_abort(s);
	for (size_t i = 0; i < DH_SQL_COUNT; i++)
		sqlite3_finalize(s->sql[i]);
	dh_store_names_release(s);
	sqlite3_close(s->db);
	dh_buf_release(s->body);
	free(s->body);
	free(s->path);
	free(s);
}
