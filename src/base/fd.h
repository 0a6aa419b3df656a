/* Descriptors and files: cleanup, whole reads and writes, directories, atomic replacement. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

void dh_closep(int *fd); /* closes when >= 0, keeps errno */
#define DH_FD DH_CLEANUP(dh_closep)

/* All n bytes, or fewer at the end of the file; the count or -errno. */
ssize_t dh_read_full(int fd, void *p, size_t n);
/* All bytes or -errno; interrupted writes go on. */
int dh_write_full(int fd, const void *p, size_t n);
/* Whole file, at most max bytes (-EFBIG beyond); buf is appended to.  0 or -errno. */
int dh_read_file(const char *path, size_t max, struct dh_buf *buf, struct dh_error *err);
int dh_read_fd(int fd, size_t max, struct dh_buf *buf);
/* Writes beside the target, syncs, renames: a reader sees the old or the new file, whole.  What is
 * no regular file (a device, a pipe) is written to. */
int dh_write_file_atomic(const char *path, const void *p, size_t n, struct dh_error *err);
/* The same for a regular file that can be made again: nobody waits for the disk. */
int dh_write_file_unsynced(const char *path, const void *p, size_t n, struct dh_error *err);
/* Like mkdir -p; an existing directory is fine. */
int dh_mkdir_p(const char *path, mode_t mode, struct dh_error *err);
/* Removes a tree without following links.  Absent is fine. */
int dh_remove_tree(const char *path);
/* The running executable, without links; works without /proc as well.  0 or -errno. */
int dh_self_path(char *ret, size_t size);
/* The directory of the running executable, for finding what lies beside it. */
int dh_self_dir(char *ret, size_t size);
