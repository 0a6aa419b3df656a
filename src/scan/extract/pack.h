/* Byte strings by the hash of their content, in one file that only grows: what many units share.
 * A record that was cut off or damaged ends the file for the reader; what is added later overwrites
 * it.  The caller makes sure that one process at a time has it open. */
#pragma once
#include "base/forward.h"

struct dh_map;
struct dh_scan_pack;

int dh_scan_pack_open(const char *path, struct dh_scan_pack **ret, struct dh_error *err);
void dh_scan_pack_close(struct dh_scan_pack *p);

/* Ids are 16 bytes. */
bool dh_scan_pack_has(const struct dh_scan_pack *p, const void *id);
/* Appends the content.  0 or -ENOENT. */
int dh_scan_pack_get(const struct dh_scan_pack *p, const void *id, struct dh_buf *out);
/* Adds unless it is there; its id in either case. */
int dh_scan_pack_add(struct dh_scan_pack *p, const void *bytes, size_t size, uint8_t ret_id[16],
	struct dh_error *err);
/* Whether most of the file is not among these (lower halves of ids). */
bool dh_scan_pack_is_stale(const struct dh_scan_pack *p, const struct dh_map *live);
/* If so, writes it anew with these alone. */
void dh_scan_pack_prune(struct dh_scan_pack *p, const struct dh_map *live);
uint64_t dh_scan_pack_count(const struct dh_scan_pack *p);
uint64_t dh_scan_pack_bytes(const struct dh_scan_pack *p);

/* Writes beside the target and renames: a reader sees the old or the new file.  Unlike
 * dh_write_file_atomic() without waiting for the disk: what a cache loses is made again, and its
 * checksums tell. */
int dh_scan_write_file(const char *path, const void *bytes, size_t size, struct dh_error *err);
