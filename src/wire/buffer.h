/* The buffer inside the process: code that performs frequent system calls without a stop and
 * writes down what they did (recording), or takes what they did from there (replay).
 *
 * A patched `syscall` instruction jumps to its trampoline, that to DH_BUFFER_ENTRY.  The code
 * either finishes the call itself, or lets the trampoline's own `syscall` make it, which stops as
 * any other does.  In a replay there is no such decision: calls are answered from the ring as long
 * as it has records, and the first one behind them is the one that stopped in the recording.
 *
 * One area for each address space: tasks that share memory run one at a time, and the tracer takes
 * the turn from none that is inside this code.  Nothing here is part of the program's state.
 *
 * The record format below is what DH_EV_BUFFER contains: changing it changes the trace format. */
#pragma once
#include "wire/landing.h"
#include "wire/note.h"

/* Places in the code, at fixed offsets (runtime/buffer/entry.S). */
#define DH_BUFFER_CALL_END (DH_LANDING_CODE + 0x12) /* its calls that do not stop */
#define DH_BUFFER_TRAP_END (DH_LANDING_CODE + 0x22) /* stops on the way out, see area.trap */
#define DH_BUFFER_STOP_END (DH_LANDING_CODE + 0x32) /* stops with a DH_BUFFER_STOP_* reason */
#define DH_BUFFER_ENTRY    (DH_LANDING_CODE + 0x40)
#define DH_BUFFER_LEAVING  (DH_LANDING_CODE + 0x94)  /* area.trap is not looked at any more ... */
#define DH_BUFFER_LEFT     (DH_LANDING_CODE + 0xd0)  /* ... from there to here */
#define DH_BUFFER_BAIL     (DH_LANDING_CODE + 0x120) /* gives up what it was doing; the call stops */
#define DH_BUFFER_WAIT     (DH_LANDING_CODE + 0x180) /* calls that may wait: area.trap is looked at */
#define DH_BUFFER_WAIT_END (DH_LANDING_CODE + 0x192) /* ... and until here nothing else is done */

/* Which calls it knows: one row for each number, whose first byte is not 0 for those. */
#define DH_BUFFER_ROWS     (DH_LANDING_CODE + 0x200)
#define DH_BUFFER_ROW_SIZE 24

/* The number of the calls that only stop. */
#define DH_BUFFER_STOP_NR 500
/* Reasons, in the first argument. */
#define DH_BUFFER_STOP_FULL     1 /* the ring must be emptied */
#define DH_BUFFER_STOP_DIVERGED 2 /* replay: not the call that was recorded: area.expected */
#define DH_BUFFER_STOP_ENTRY    3 /* replay: the ring is empty, see area.trap_entry */
#define DH_BUFFER_STOP_SHOW     4 /* replay: output; further arguments: address, length, which */
#define DH_BUFFER_STOP_NOTES    5 /* the notes must be emptied */
#define DH_BUFFER_STOP_MAP      6 /* replay: to be mapped; further arguments: file, address */

/* A trampoline: the address of its code, then the code. */
#define DH_TRAMPOLINE_SIZE   64
#define DH_TRAMPOLINES       512

#define DH_BUFFER_STACK_SIZE 0x2000
#define DH_BUFFER_FDS        4096
#define DH_BUFFER_SHARED     32

/* Members of the area that assembler code uses. */
#define DH_AREA_TRAP   (DH_LANDING_AREA + 4)
#define DH_AREA_SP     (DH_LANDING_AREA + 8)
#define DH_AREA_TARGET (DH_LANDING_AREA + 16)
#define DH_AREA_RESULT (DH_LANDING_AREA + 24)
#define DH_AREA_KEPT   (DH_LANDING_AREA + 32)
#define DH_AREA_STACK  (DH_LANDING_AREA + 0x2000)
/* Where the program's registers lie while the code runs (struct dh_buffer_frame); calls from C
 * need the stack aligned below it. */
#define DH_AREA_STACK_TOP (DH_AREA_STACK + DH_BUFFER_STACK_SIZE - 8)
#define DH_AREA_FRAME     (DH_AREA_STACK_TOP - 72)

#ifndef __ASSEMBLER__
#include <stddef.h>

enum dh_buffer_mode {
	DH_BUFFER_OFF, /* every call stops */
	DH_BUFFER_RECORD,
	DH_BUFFER_REPLAY,
};

/* What is known of a descriptor.  The code classifies the files that it opens itself; what it did
 * not see coming is unknown, stops once, and is classified by the tracer then. */
enum dh_buffer_fd {
	DH_BUFFER_FD_UNKNOWN,
	DH_BUFFER_FD_STOPS,  /* calls on it always stop: strange file systems */
	DH_BUFFER_FD_FILE,   /* file or directory on a file system that never waits for others */
	DH_BUFFER_FD_SHARED, /* the same, and mapped shared by a recorded process: writes stop */
	DH_BUFFER_FD_SOCKET,
	DH_BUFFER_FD_STREAM, /* pipes and the like: read and written with RWF_NOWAIT */
	DH_BUFFER_FD_DEVICE, /* terminals and the like: only where the code may wait */
	DH_BUFFER_FD_OUT,    /* the recorder's own output: the same for reading ... */
	DH_BUFFER_FD_ERR,    /* ... and written to only by DH_BUFFER_SOLE */
};

/* Whom a process must think of, in a recording. */
enum dh_buffer_alone {
	DH_BUFFER_NOT_ALONE, /* others want the turn: what waits must stop */
	DH_BUFFER_ALONE,     /* calls may wait in here */
	DH_BUFFER_SOLE,      /* nobody else is recorded: nor need its output be put in order */
};

struct dh_buffer_frame {
	uint64_t rax;    /* number of the call, then its result */
	uint64_t arg[6]; /* in the order of system calls */
	uint64_t target; /* behind the trampoline's own call; 2 less to make it */
	uint64_t flags;
};

#define DH_BUFFER_NAME 200

struct dh_buffer_area {
	uint32_t mode; /* enum dh_buffer_mode */
	/* Not 0: on the way out, with the program's registers in place, stop at DH_BUFFER_TRAP_END
	 * instead of going to `target`; the call's result is in `result`. */
	uint32_t trap;
	uint64_t sp;
	uint64_t target, result;
	uint64_t kept[6]; /* registers that the code must keep, for when it has to bail out */
	uint64_t notes;   /* recording: end of the notes (wire/note.h) */
	uint64_t head;    /* end of the records in the ring */
	uint64_t tail;    /* replay: those before it are used up */
	uint64_t calls;   /* answered or recorded without a stop */
	/* Recording: while a call is being made that has no record yet, `head` + 1; a record that
	 * is added ends that by itself. */
	uint64_t inside;
	uint32_t yield;      /* recording: the next call stops, the tracer wants the turn */
	uint32_t trap_empty; /* replay: set `trap` when the last record is used up */
	uint32_t trap_entry; /* replay: stop when a call finds the ring empty */
	uint32_t probing;    /* touches memory that the program named: a fault means bail out */
	uint32_t own_files;  /* files that are opened here need no look by the tracer */
	uint32_t alone;      /* enum dh_buffer_alone */
	uint32_t shows;      /* replay: descriptors 1 and 2 are the replayer's own output */
	uint32_t expected;   /* replay, diverged: the recorded number, and DH_BUFFER_OTHER_* */
	uint32_t n_shared;   /* more than DH_BUFFER_SHARED: every write to a file stops */
	uint64_t good_dev;   /* the last file system that was found to be good */
	uint32_t describes;  /* recording: calls get a note, and DH_AREA_ORDER is there */
	uint32_t limited;    /* recording: of those that get one only `free` more are made here */
	uint32_t free;
	uint32_t own_clock; /* recording: see DH_NOTE_CLOCK */
	/* Recording: of the system's files, whose names stay what they are, the last one that was
	 * opened, and the last directory that was looked up. */
	struct {
		uint32_t known; /* 0: none, or it may have been closed */
		struct dh_note_ref ref;
		char path[DH_BUFFER_NAME];
	} opened;
	struct {
		char text[DH_BUFFER_NAME]; /* "": none */
		char path[DH_BUFFER_NAME];
	} parent;
	struct {
		uint64_t dev, ino;
	} shared[DH_BUFFER_SHARED]; /* files that are mapped shared */
	uint8_t fd[DH_BUFFER_FDS];  /* enum dh_buffer_fd */
};

/* File systems that answer by themselves, in bounded time: no network, no other process. */
static inline int dh_buffer_good_fs(uint64_t type)
{
	static const uint32_t good[] = {0xef53 /* ext */, 0x01021994 /* tmpfs */,
		0x794c7630 /* overlay */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */,
		0xf2f52010 /* f2fs */, 0x2fc12fc1 /* zfs */, 0xca451a4e /* bcachefs */,
		0x858458f6 /* ramfs */, 0x73717368 /* squashfs */, 0x9660 /* iso */,
		0x4d44 /* fat */, 0x2011bab0 /* exfat */};

	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if ((uint32_t)type == good[i])
			return 1;
	}
	return 0;
}

/* The ring: records one behind the other from the start; it does not wrap, it is emptied. */
#define DH_AREA_RING         (DH_AREA_STACK + DH_BUFFER_STACK_SIZE)
#define DH_BUFFER_RING_SIZE  (DH_AREA_NOTES - DH_AREA_RING)
#define DH_BUFFER_OUTPUT_MAX 0x20000 /* calls that may write more than this stop */

/* One call.  Multiples of 8 bytes. */
struct dh_buffer_record {
	uint16_t words;  /* all of it, in 8 bytes */
	uint16_t nr_out; /* number of the call, and how many outputs follow, see below */
	uint32_t check;  /* dh_buffer_check() */
	int64_t result;
};
#define DH_BUFFER_NR_BITS 10
#define DH_BUFFER_OUT_MAX 63
/* In area.expected: the same call, but. */
#define DH_BUFFER_OTHER_ARGUMENTS (1u << DH_BUFFER_NR_BITS)
#define DH_BUFFER_OTHER_DATA      (2u << DH_BUFFER_NR_BITS)

static inline uint64_t dh_buffer_size(const struct dh_buffer_record *r)
{
	return (uint64_t)r->words * 8;
}

/* Memory that the call wrote; then, for DH_BUFFER_OUT_ADDRESS, its address in 8 bytes; then the
 * bytes, and zeros up to a multiple of 8. */
struct dh_buffer_out {
	uint32_t len;
	uint32_t arg; /* which argument has the address */
};
#define DH_BUFFER_OUT_ADDRESS 6
/* Not written but shown: what the program wrote to the recorder's own output (or error output).
 * An address follows as above, and no bytes, which are the program's own. */
#define DH_BUFFER_OUT_SHOWN     7
#define DH_BUFFER_OUT_SHOWN_ERR 8
/* Of mmap: which file was mapped.  Its number (struct dh_known_file) follows, and no bytes. */
#define DH_BUFFER_OUT_FILE 9

/* The check has two parts: of the arguments alone, and of them and the memory that the kernel read.
 * The second is known only behind the call, in a replay too: outputs may lie over that memory. */
#define DH_BUFFER_CHECK_ARGUMENTS 0xfffu

static inline uint64_t dh_buffer_arguments(const uint64_t *arg, uint64_t sp)
{
	uint64_t h = sp;

	for (int i = 0; i < 6; i++)
		h = h * 0x9e3779b97f4a7c15u + arg[i];
	return h;
}

static inline uint32_t dh_buffer_check(uint64_t arguments, uint64_t all)
{
	return (uint32_t)(arguments >> 52) |
	       ((uint32_t)(all >> 32 ^ all) & ~DH_BUFFER_CHECK_ARGUMENTS);
}

_Static_assert(offsetof(struct dh_buffer_area, trap) == DH_AREA_TRAP - DH_LANDING_AREA, "");
_Static_assert(offsetof(struct dh_buffer_area, sp) == DH_AREA_SP - DH_LANDING_AREA, "");
_Static_assert(offsetof(struct dh_buffer_area, target) == DH_AREA_TARGET - DH_LANDING_AREA, "");
_Static_assert(offsetof(struct dh_buffer_area, result) == DH_AREA_RESULT - DH_LANDING_AREA, "");
_Static_assert(offsetof(struct dh_buffer_area, kept) == DH_AREA_KEPT - DH_LANDING_AREA, "");
_Static_assert(sizeof(struct dh_buffer_area) <= DH_AREA_STACK - DH_LANDING_AREA, "");
_Static_assert(sizeof(struct dh_buffer_frame) == DH_AREA_STACK_TOP - DH_AREA_FRAME, "");
#endif
