/* Sandbox: a place in which a command runs without changing anything outside.
 *
 * dh_sandbox_start() forks a process that becomes process 1 of new user, mount, pid, network, IPC
 * and UTS namespaces, sees the same file systems through layers that catch every change, and runs
 * the caller's body there.  Whatever the body starts dies with it, and it dies with the process
 * that started it; mounts and layers vanish with the namespace.  As root all users and groups are
 * mapped, so that ownership works as outside; otherwise only the caller's own.
 *
 * The handle belongs to the process that started the sandbox.  One thread.  Never prints. */
#pragma once
#include "base/forward.h"

#include <sys/types.h>

struct dh_sandbox;
struct stat;

/* How changes are kept away from the real file systems, best first. */
enum dh_sandbox_layer {
	DH_SANDBOX_OVERLAY, /* every directory is writable, below an overlay */
	DH_SANDBOX_COPY,    /* copies of the working directory and of /tmp; the rest is read-only */
};

/* What the body may use, inside.  Borrowed; ends with the body. */
struct dh_sandbox_inside {
	enum dh_sandbox_layer layer;
	bool userns;         /* false: no user namespace was to be had, and we are root */
	int upper_fd;        /* directory that holds what was changed, by absolute path */
	int last_pid_fd;     /* -1: process numbers cannot be chosen */
	int64_t began_ns;    /* when the body began */
	uint64_t unwritable; /* directories that could only be shown read-only */
};

/* Runs as process 1; what it returns (0..255) is the sandbox's exit status.  Descriptors 1 and 2
 * are pipes to the starter, 0 is as asked for. */
typedef int dh_sandbox_body(void *cookie, const struct dh_sandbox_inside *inside);

struct dh_sandbox_options {
	/* A directory below which mount points and layers are made; NULL: one of the user's own in
	 * the place for temporary files.  Empty inside. */
	const char *place;
	const char *cwd;         /* where the body begins; NULL: the working directory */
	const char *const *hide; /* directories that are empty inside, NULL-terminated; or NULL */
	int stdin_fd;            /* given to the body as descriptor 0; -1: /dev/null */
	bool on_disk;            /* layers below place, not in memory */
	bool no_overlay;         /* as if overlays were not allowed */
	dh_sandbox_body *body;
	void *cookie;
};

/* 0 or -errno with words (-EPERM: namespaces are not allowed here, and what to do). */
int dh_sandbox_start(
	const struct dh_sandbox_options *opt, struct dh_sandbox **ret, struct dh_error *err);

/* What the body writes to its standard output (0) or error (1) comes out here; not blocking. */
int dh_sandbox_output(const struct dh_sandbox *s, int which);
/* Becomes readable when the sandbox has ended. */
int dh_sandbox_poll_fd(const struct dh_sandbox *s);
/* Ends everything inside at once (safe in a signal handler's wake). */
void dh_sandbox_kill(struct dh_sandbox *s);
/* Waits for the end: 0 and the wait status of process 1, or -errno with words when the body could
 * not be reached at all (what failed while the place was built). */
int dh_sandbox_wait(struct dh_sandbox *s, int *ret_status, struct dh_error *err);
/* Kills when it still runs, removes everything that is left.  NULL is allowed. */
void dh_sandbox_free(struct dh_sandbox *s);

/* Removes what sandboxes that were killed have left below place (NULL as above); the number of
 * them. */
int dh_sandbox_sweep(const char *place);

/* Inside, in a child that goes on to execute something: takes away what could undo the sandbox. */
void dh_sandbox_confine(const struct dh_sandbox_inside *inside);

/* Inside: the next process gets this number.  0 or -errno. */
int dh_sandbox_next_pid(const struct dh_sandbox_inside *inside, pid_t pid);

/* Inside: fork(), but the child's number is out of the way, and the next process gets the number
 * that it would have had without.  As fork(), or -errno. */
pid_t dh_sandbox_fork_aside(const struct dh_sandbox_inside *inside);

/* Inside: whether this file did not exist outside when the sandbox began. */
bool dh_sandbox_made_inside(const struct dh_sandbox_inside *inside, const struct stat *st);

/* One change: a path as the program sees it. */
struct dh_sandbox_change {
	const char *path;
	bool removed;  /* whiteout: it was there and is not */
	uint32_t mode; /* st_mode */
	uint64_t size;
	uint64_t hash; /* of content, or of a link's target; 0 for others */
};
/* Inside: calls each for every file that was created, changed or removed, sorted by path.
 * The count, or -errno. */
int dh_sandbox_changes(const struct dh_sandbox_inside *inside,
	void (*each)(void *cookie, const struct dh_sandbox_change *c), void *cookie);
