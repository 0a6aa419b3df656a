/* Notes: what calls that the buffer made were about, for recordings that describe their calls
 * (trace/call.h).  The code in the process looks at paths and descriptors at the moment of the
 * call, as the tracer would at a stop, and leaves the result in a second ring beside its records. A
 * replay needs none of it.
 *
 * Where a call stands among those of other processes is said by two numbers: how many events the
 * tracer had logged, and a count of all that happened to calls, which all processes and the tracer
 * share (struct dh_order).  For calls that stop the place of their event says it. */
#pragma once
#include "wire/landing.h"
#ifndef __ASSEMBLER__
#include "wire/touch.h"
#endif

/* At the end of the landing area; struct dh_order is shared memory. */
#define DH_ORDER_SIZE 0x4000
#define DH_AREA_ORDER (DH_LANDING_END - DH_ORDER_SIZE)
#define DH_NOTES_SIZE 0x10000
#define DH_AREA_NOTES (DH_AREA_ORDER - DH_NOTES_SIZE)

#ifndef __ASSEMBLER__
#include <stddef.h>

#define DH_ORDER_BUSY  16
#define DH_ORDER_FILES 160
#define DH_NOTE_CALLS  471  /* numbers of calls, from 0 */
#define DH_NOTE_PATH   1000 /* longer ones are left to the tracer */
#define DH_NOTE_REFS   3
/* No note is longer. */
#define DH_NOTE_MAX 0x2000

/* What a call has at an argument. */
enum dh_note_kind {
	DH_NOTE_KIND_NONE,
	DH_NOTE_KIND_PATH,
	DH_NOTE_KIND_FD,
	DH_NOTE_KIND_NEW,     /* its result is a descriptor */
	DH_NOTE_KIND_PAIR,    /* left to the tracer */
	DH_NOTE_KIND_ADDRESS, /* the same, unless the pointer is 0 */
};

/* Whether a link at the end of a path is followed. */
enum dh_note_follow {
	DH_NOTE_FOLLOW,
	DH_NOTE_NOFOLLOW,
	DH_NOTE_FOLLOW_UNLESS, /* AT_SYMLINK_NOFOLLOW in flag_arg */
	DH_NOTE_FOLLOW_IF,     /* AT_SYMLINK_FOLLOW */
	DH_NOTE_FOLLOW_OPEN,   /* by the flags of open */
};

#define DH_NOTE_CWD 7 /* as dir */

enum dh_note_how {
	DH_NOTE_STOPS,  /* the tracer describes the call */
	DH_NOTE_SILENT, /* nobody does */
	DH_NOTE_MADE,
	DH_NOTE_CLOCK, /* tells the time, which the tracer may change: stops, unless area.own_clock
			*/
};

/* Raw words that the tracer makes text of. */
enum dh_note_extra {
	DH_NOTE_EXTRA_NONE,
	DH_NOTE_EXTRA_LOCK,   /* of fcntl: struct flock, where the request has one */
	DH_NOTE_EXTRA_ACTION, /* of rt_sigaction: the handler */
};

struct dh_note_row {
	uint8_t how;   /* enum dh_note_how */
	uint8_t extra; /* enum dh_note_extra */
	uint8_t touch; /* DH_TOUCH_* */
	struct {
		uint8_t kind, role, arg, dir, follow, flag_arg;
	} refs[2];
};

/* A file that the recording has: a process may map it without a stop. */
struct dh_known_file {
	uint64_t id; /* its number in the recording */
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

/* Shared by the tracer and all processes.  The tracer believes none of it: wrong numbers make a
 * wrong order. */
struct dh_order {
	uint64_t events;  /* that the tracer has logged */
	uint64_t moments; /* counted on by whoever enters or leaves a call */
	/* Tasks that are in a call that stops and soon ends, and what those calls touch.  Who would
	 * overtake the tracer on its way to log that end stops as well, if they meet.  Those that
	 * have no place in the list meet everybody. */
	uint32_t busy, crowd;
	struct dh_touch touched[DH_ORDER_BUSY];
	uint32_t role_fd; /* the role of a directory that a call names by an empty path */
	struct dh_note_row rows[DH_NOTE_CALLS];
	uint32_t n_files;
	struct dh_known_file files[DH_ORDER_FILES];
};

struct dh_note_ref {
	int32_t fd;
	uint16_t mode;
	uint8_t role;
	uint8_t unused;
	uint16_t path, given; /* lengths of the strings, which follow with their zeros */
	uint32_t size;        /* of this with its strings, in bytes: a multiple of 8 */
	uint32_t dev[2], rdev[2];
	uint64_t ino, birth_ns, length;
};

struct dh_note {
	uint32_t size; /* of all of it, in bytes: a multiple of 8 */
	uint16_t nr;
	uint8_t n_refs, n_extra;
	uint64_t arg[6];
	int64_t result;
	uint64_t entered, entered_nth, left, left_nth;
	uint64_t extra[4];
};

_Static_assert(sizeof(struct dh_order) <= DH_ORDER_SIZE, "");
#endif
