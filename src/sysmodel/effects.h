/* What system calls do to kernel objects, as loads and stores (RacePro, section 5.2 and table 3):
 * one declarative row per call, for analyses that compare processes.  A row says which objects the
 * call names, and which parts of them it looks at or changes.  Constant; any thread. */
#pragma once
#include "base/forward.h"
#include "model/objref.h"

struct dh_sys_call;

#define DH_SYS_REFS    3
#define DH_SYS_EFFECTS 6

enum dh_sys_ref_kind {
	DH_SYS_REF_NONE,
	DH_SYS_REF_PATH,    /* arg is a path, relative to the descriptor in dir */
	DH_SYS_REF_FD,      /* arg is a descriptor */
	DH_SYS_REF_NEW,     /* the result is a descriptor */
	DH_SYS_REF_PAIR,    /* arg points to two new descriptors */
	DH_SYS_REF_ADDRESS, /* arg points to a socket's address, which may be a path */
};

/* Whether a symbolic link in the last place is followed. */
enum dh_sys_follow {
	DH_SYS_FOLLOW,
	DH_SYS_NOFOLLOW,
	DH_SYS_FOLLOW_UNLESS, /* a flag in follow_arg says AT_SYMLINK_NOFOLLOW */
	DH_SYS_FOLLOW_IF,     /* a flag in follow_arg says AT_SYMLINK_FOLLOW */
	DH_SYS_FOLLOW_OPEN,   /* the flags of open are in follow_arg */
};

#define DH_SYS_CWD 7 /* as dir: the working directory */

struct dh_sys_ref {
	uint8_t kind; /* enum dh_sys_ref_kind */
	uint8_t role; /* enum dh_ref_role */
	uint8_t arg, dir;
	uint8_t follow, follow_arg;
};

/* Parts of objects. */
enum dh_sys_part {
	DH_SYS_PART_NAME = 1, /* the place of a name in its directory */
	DH_SYS_PART_LIST,     /* all names of a directory */
	DH_SYS_PART_DATA,     /* bytes; the row says which */
	DH_SYS_PART_ALL,      /* all bytes from the length in an argument on, or from 0 */
	DH_SYS_PART_MODE,
	DH_SYS_PART_OWNER,
	DH_SYS_PART_TIMES,
	DH_SYS_PART_SIZE,
	DH_SYS_PART_XATTR,
	DH_SYS_PART_OFFSET, /* of the open file */
	DH_SYS_PART_LOCK,
	DH_SYS_PART_CHILD, /* the end of a child */
	DH_SYS_PART_PROC,  /* what others see of a process */
	DH_SYS_PART_PPID,
	DH_SYS_PART_GROUP, /* process group and session of the process in arg 0 */
	DH_SYS_PART_SIGNAL,
	DH_SYS_PART_ACTION, /* what a signal will do */
	DH_SYS_PART_QUEUE,  /* connections that wait to be accepted */
	DH_SYS_PART_HOSTNAME,
	DH_SYS_PART_MOUNTS,
	DH_SYS_PART_TIME,
	DH_SYS_PART_SHM, /* System V objects, by their id or key in arg 0 */
	DH_SYS_PART_SEM,
	DH_SYS_PART_MSG,
	DH_SYS_PART_FUTEX,
	DH_SYS_PARTS,
};

enum dh_sys_op {
	DH_SYS_LOAD = 1,
	DH_SYS_STORE,  /* when the call succeeds */
	DH_SYS_MODIFY, /* a store when the call succeeds, else a load */
};

enum dh_sys_on {
	DH_SYS_ON_ANY,
	DH_SYS_ON_CREATED,   /* open has made the file */
	DH_SYS_ON_TRUNCATED, /* open has emptied an existing file */
	DH_SYS_ON_WRITABLE,  /* mmap: a shared mapping that may be written to */
};

struct dh_sys_effect {
	uint8_t op;   /* enum dh_sys_op; 0: end of the list */
	uint8_t part; /* enum dh_sys_part */
	uint8_t role; /* enum dh_ref_role */
	uint8_t on;   /* enum dh_sys_on */
};

enum dh_sys_effects_flag {
	DH_SYS_EXCLUSIVE = 1, /* fails when somebody else was first: made for being raced */
	DH_SYS_WAKES = 2,     /* others may go on as soon as it begins, before it returns */
	DH_SYS_AT_OFFSET = 4, /* moves the offset of the open file */
};

struct dh_sys_effects {
	bool known; /* the row is there; without effects, nothing that others could see */
	/* Besides, it waits for nothing and nothing follows from it for the calls around it: not
	 * worth mentioning. */
	bool silent;
	uint8_t flags;
	/* DH_SYS_PART_DATA: 1 + the argument that has the number of bytes, and where they begin (0:
	 * at the offset of the open file). */
	uint8_t count, offset;
	struct dh_sys_ref refs[DH_SYS_REFS];
	struct dh_sys_effect effects[DH_SYS_EFFECTS];
};

/* Never NULL; known is false for a number without a row. */
const struct dh_sys_effects *dh_sysmodel_effects(int64_t nr);

/* Whether this very call is not worth mentioning: the row says so, or mmap of no file. */
bool dh_sysmodel_silent(const struct dh_sys_call *c);

/* Whether this call follows a link in the last place of that path. */
bool dh_sysmodel_follows(const struct dh_sys_ref *ref, const uint64_t arg[6]);

/* How many calls have a row. */
unsigned dh_sysmodel_effects_count(void);
