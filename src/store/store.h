/* The findings store: one SQLite file that all runs on a machine share.
 *
 * What it keeps per bug (per fingerprint) only ever grows towards more: evidence is a set, and for
 * each origin the best description wins by a total order.  So putting the same findings in any
 * order, any number of times, through any number of merged stores, gives the same content.
 *
 * Several processes may write at once; a process that is killed loses only what it had not
 * committed.  One handle belongs to one thread and must not be used across fork().
 * Nothing here prints.  All functions return 0 or -errno with words in err, unless stated:
 *   -ENOENT no such store or finding       -EBADMSG damaged, or not a findings store
 *   -EPROTO written by a newer deadheat    -EBUSY   another process holds it for too long
 *   -ENOSPC the disk is full               -EACCES, -EROFS  may not be read or written */
#pragma once
#include "base/forward.h"
#include "model/finding.h"

struct dh_store;
struct dh_store_cursor;

enum dh_store_mode {
	DH_STORE_READ,  /* must exist; never changes the file */
	DH_STORE_WRITE, /* must exist */
	DH_STORE_CREATE /* made when absent, with its folder */
};

/* Which store a command uses: the option's value if any, else $DEADHEAT_DB, else the default. */
#define DH_STORE_DEFAULT ".deadheat/findings.db"
const char *dh_store_path(const char *option);

int dh_store_open(
	const char *path, enum dh_store_mode mode, struct dh_store **ret, struct dh_error *err);
/* An open batch is dropped.  NULL is allowed. */
void dh_store_close(struct dh_store *s);

/* A batch: nothing of it is in the store until the commit, which is atomic.  Any failure inside
 * drops the whole batch; after that dh_store_commit() fails too.  Batches do not nest. */
int dh_store_begin(struct dh_store *s, struct dh_error *err);
int dh_store_commit(struct dh_store *s, struct dh_error *err);
void dh_store_abort(struct dh_store *s);

/* Adds a sealed finding with at least one piece of evidence, or what it says beyond what the store
 * already knows.  Outside a batch it is a batch of its own.  1: a new bug, 0: a known one.
 * -EINVAL: not sealed, or no evidence. */
int dh_store_put(struct dh_store *s, const struct dh_finding *f, struct dh_error *err);

/* What to list; all zero lists everything that is not suppressed, in order of rank. */
struct dh_store_query {
	uint32_t kinds;     /* bit per dh_kind; 0: all */
	uint32_t levels;    /* bit per dh_level; 0: all */
	const char *file;   /* glob on the path of a site, or its last parts: "bank.c" */
	const char *origin; /* who said something about it: "scan" */
	bool suppressed;    /* list suppressed ones too */
	bool not_in_since;  /* only what dh_store_since() did not load */
	uint64_t limit;     /* 0: none */
	const char *id;     /* the only one: a fingerprint */
};

int dh_store_cursor_open(struct dh_store *s, const struct dh_store_query *q,
	struct dh_store_cursor **ret, struct dh_error *err);
/* 1: *ret is the caller's to free; 0: end. */
int dh_store_cursor_next(struct dh_store_cursor *c, struct dh_finding **ret, struct dh_error *err);
void dh_store_cursor_free(struct dh_store_cursor *c);

/* How many findings the query matches, without regard to its limit. */
int dh_store_count(
	struct dh_store *s, const struct dh_store_query *q, uint64_t *ret, struct dh_error *err);
/* The fingerprint that begins with these (at least four) hex digits.
 * -ENOENT: none; -ENOTUNIQ: several, named in err; -EINVAL: not hex digits or too few. */
int dh_store_resolve(
	struct dh_store *s, const char *id, char ret_fingerprint[33], struct dh_error *err);
/* The whole finding with this fingerprint. */
int dh_store_get(
	struct dh_store *s, const char *fingerprint, struct dh_finding **ret, struct dh_error *err);
/* The whole finding that the id, which may be cut short, names in the store at path. */
int dh_store_get_from(
	const char *path, const char *id, struct dh_finding **ret, struct dh_error *err);
/* Its position in the list of all that is not suppressed, from 1. */
int dh_store_rank(struct dh_store *s, const char *fingerprint, uint64_t *ret, struct dh_error *err);

/* Remembers the fingerprints of another store, for queries with not_in_since. */
int dh_store_since(struct dh_store *s, const char *path, struct dh_error *err);

/* Marks a bug as not to be shown, or to be shown again; the latest mark counts, also when stores
 * are merged.  reason may be NULL.  when: seconds since 1970; 0: now, and in any case later than
 * the mark that is there. */
int dh_store_suppress(struct dh_store *s, const char *fingerprint, bool suppressed,
	const char *reason, int64_t when, struct dh_error *err);

struct dh_store_merged {
	uint64_t findings; /* read from the other store */
	uint64_t added;    /* of these, not known before */
};

/* Adds everything of the store at path, as one batch.  *ret may be NULL. */
int dh_store_merge(
	struct dh_store *s, const char *path, struct dh_store_merged *ret, struct dh_error *err);
