/* Summaries: the program, or some functions of it, as bytes; and bytes joined to a program.
 *
 * A summary is self-contained: it has the strings, types, fields, symbols and nodes that its
 * functions use, numbered in the order of first use, so that the same function gives the same bytes
 * in every unit.  That is how functions of headers are recognised: see extract/cache.h, which also
 * has the checksum and the version of what is on disk.  Change DH_SCAN_SUMMARY_VERSION with the
 * format, and with anything that makes extraction say something else about the same source.
 *
 * Numbers are LEB128.  Reading trusts nothing: damaged bytes are -EBADMSG, and the program is as
 * before but for unused strings, types, fields, symbols and nodes. */
#pragma once
#include "scan/ir/ir.h"

#define DH_SCAN_SUMMARY_VERSION 8

/* A summary has at most so many things of each kind, and a function so many statements. */
#define DH_SCAN_MAX_ITEMS (16u << 20)

/* Appends the functions functions[0..n) and, with all, the units, initialisers and facts. */
void dh_scan_summary_write(struct dh_scan_program *p, const uint32_t *functions, size_t n, bool all,
	struct dh_buf *out);
/* Joins a summary to the program.  A function whose symbol has a body already is left out.
 * 0 or -EBADMSG. */
int dh_scan_summary_read(
	struct dh_scan_program *p, const void *bytes, size_t size, struct dh_error *err);
