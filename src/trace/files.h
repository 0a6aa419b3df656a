/* Contents of files inside a recording: files/<hash>, each content once.  The hash is XXH3-128,
 * 32 hex digits.  A file appears under its name only when it is whole. */
#pragma once
#include "base/forward.h"
#include "base/map.h"

#define DH_TRACE_HASH_LEN 32

struct dh_trace_files {
	char *dir;      /* the recording's */
	uint64_t bytes; /* stored by this object */
	/* What is known without reading: a file's identity and times -> its hash. */
	struct dh_map known;
	struct dh_strset hashes;
};

void dh_trace_files_init(struct dh_trace_files *f, const char *dir);
void dh_trace_files_release(struct dh_trace_files *f);

/* Copies the regular file behind fd; its offset does not move.  A file that was stored before and
 * whose identity, size and times are the same is not read again.  -EINVAL: not a regular file. */
int dh_trace_files_add(struct dh_trace_files *f, int fd, char ret_hash[DH_TRACE_HASH_LEN + 1],
	struct dh_error *err);

/* The hash of the content behind fd, whose offset does not move. */
int dh_trace_files_hash(int fd, char ret[DH_TRACE_HASH_LEN + 1]);

/* True for 32 lower-case hex digits: nothing else may become part of a path. */
bool dh_trace_hash_valid(const char *hash);
/* Reads dir/files/<hash> and compares: 0, -EBADMSG when the content is another one or missing,
 * -EINVAL when hash is none. */
int dh_trace_files_verify(const char *dir, const char *hash, struct dh_error *err);
