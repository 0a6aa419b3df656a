/* What the extraction and its helper process say to each other.  The helper is the part that is
 * linked to LLVM (scan/llvm/): clang itself with libdeadheat-extract.so loaded into it, which sends
 * the greeting first, or deadheat-extract.  Its argument is how many
 * jobs it may run at a time.  It reads jobs from its standard input and writes one
 * struct dh_scan_result for each to its standard output, in the order in which they are done.  Both
 * sides come from the same build, so there is no version here.
 *
 * A job is its length (32 bits) and so many bytes: strings, each ended by a null byte, in the order
 * of enum dh_scan_job_part, the flags for clang last.  Its output goes to a file: parts, each with
 * its length (64 bits) before it: the names of all files that were read, each ended by a null byte;
 * the summary of the unit; and one part for each function of a header, a summary of its own.  Of a
 * source that the compiler rejects there is the first part alone, if that much is known. */
#pragma once
#include "base/forward.h"

enum dh_scan_job_part {
	DH_SCAN_JOB_NUMBER, /* decimal */
	DH_SCAN_JOB_CLANG,  /* path of the compiler */
	DH_SCAN_JOB_DIR,    /* where it runs */
	DH_SCAN_JOB_FILE,   /* the source, absolute */
	DH_SCAN_JOB_NAME,   /* as reports call it */
	DH_SCAN_JOB_ROOT,   /* names of files below it are relative to it */
	DH_SCAN_JOB_OUTPUT, /* path of the file for the result */
	DH_SCAN_JOB_FLAGS,  /* the first flag */
};

#define DH_SCAN_MAX_JOB  (8u << 20)
#define DH_SCAN_GREETING "clang is ready"

/* Small enough for one write to a pipe to be whole. */
struct dh_scan_result {
	uint32_t number;
	int32_t code;   /* 0, or -errno: -EBADMSG when the compiler rejects the source */
	char text[500]; /* why, in one line */
};
