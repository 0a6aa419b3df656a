/* The cache of summaries: one file per unit, and one file for the functions of headers, each of
 * which is stored once however many units have it.
 *
 * A unit is found by what decides about its meaning beside the content of files: compiler, flags,
 * folder, source.  It is valid while every file that the compiler read for it has the same content;
 * files are hashed at most once per run.  Damaged files, and those of another version, are as good
 * as absent.  One process at a time: others wait in dh_scan_cache_open().  One thread. */
#pragma once
#include "base/forward.h"

struct dh_scan_program;
struct dh_scan_cache;

/* Makes the folder when it is not there. */
int dh_scan_cache_open(const char *dir, struct dh_scan_cache **ret, struct dh_error *err);
void dh_scan_cache_close(struct dh_scan_cache *c);

/* What a unit is found by. */
struct dh_scan_key {
	char hex[33];
};

/* From any number of strings, ended by NULL. */
struct dh_scan_key dh_scan_key(const char *const *parts);

/* Whether the unit is there and valid; then joins it to the program. */
bool dh_scan_cache_load(
	struct dh_scan_cache *c, const struct dh_scan_key *key, struct dh_scan_program *p);
/* Whether it is there and valid.  *ret_why: why the compiler rejects it, for the caller to free;
 * NULL: it does not. */
bool dh_scan_cache_has(struct dh_scan_cache *c, const struct dh_scan_key *key, char **ret_why);
/* Takes what the helper wrote (job.h).  0 or -errno with words. */
int dh_scan_cache_store(struct dh_scan_cache *c, const struct dh_scan_key *key, const void *output,
	size_t size, struct dh_error *err);
/* The same for a source that the compiler rejects. */
int dh_scan_cache_reject(struct dh_scan_cache *c, const struct dh_scan_key *key, const void *output,
	size_t size, const char *why, struct dh_error *err);
/* Where the helper may write the output of a job; the caller frees it. */
char *dh_scan_cache_scratch(const struct dh_scan_cache *c, size_t number);

struct dh_scan_cache_stats {
	uint64_t shared;      /* functions of headers that are stored */
	uint64_t shared_uses; /* how often a unit of this run refers to one */
	uint64_t bytes;       /* of the shared functions */
	uint64_t damaged;     /* files that were there and could not be used */
};

struct dh_scan_cache_stats dh_scan_cache_stats(const struct dh_scan_cache *c);
