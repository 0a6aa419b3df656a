/* Private to this folder: the state while a history is built, call by call in the order of effects.
 *
 *   history.c    events to items, in order; tasks and processes
 *   files.c      who has which open file
 *   objects.c    identities: inodes, names, processes; accesses to them
 *   streams.c    pipes and sockets: who reads what whom wrote
 *   locks.c      file locks
 *   effects.c    from the row of a call to its accesses and inherent relations
 *
 * While a call is being looked at, `now` is the number that it will have, and `after` collects the
 * calls that it inherently follows. */
#pragma once
#include "explore/history.h"

struct dh_sys_effect;
struct item;

#define NONE UINT32_MAX

struct vec {
	uint32_t *v;
	size_t n, cap;
};

void dh_vec_add(struct vec *v, uint32_t x);
void dh_vec_release(struct vec *v);

/* Parts of an inode that are objects of their own. */
enum inode_part {
	INODE_DATA,
	INODE_MODE,
	INODE_OWNER,
	INODE_TIMES,
	INODE_SIZE,
	INODE_XATTR,
	INODE_HEAD, /* where readers of a stream take from */
	INODE_TAIL, /* where writers add */
	INODE_QUEUE,
	INODE_PARTS,
};

struct segment {
	uint64_t from, to;
	uint32_t call;
};

/* One direction of a pipe or a socket, with virtual offsets (section 5.2). */
struct stream {
	uint64_t written, read;
	struct segment *segments; /* written and not read */
	size_t n, cap, first;
	struct vec closers; /* calls that gave up a writing end */
};

struct lock_range {
	uint64_t owner;
	uint64_t from, to;
	bool exclusive;
	uint32_t call; /* that released it */
};

struct locks {
	struct lock_range *held, *released;
	size_t n_held, cap_held, n_released, cap_released;
};

struct inode {
	uint32_t mode;
	uint64_t rdev;
	const char *path;
	uint32_t parts[INODE_PARTS]; /* objects, or NONE */
	struct stream *in, *out;     /* of a pipe the same */
	struct locks *locks;
	const char *address; /* a socket's own */
	bool datagram;
	struct vec *pending; /* eventfd, inotify: calls whose effect nobody has read yet */
};

struct open_file {
	uint32_t inode;
	uint64_t pos;
	bool pos_known, append, reads, writes;
	uint32_t offset; /* object of its position, or NONE */
	uint32_t refs;
};

struct files {
	struct dh_map fds; /* descriptor -> file * 2 + close on exec */
	uint32_t refs;
};

/* What is kept of an object to know which calls conflict in which order. */
struct recent {
	struct vec stores, loads; /* since the last one of the other kind */
};

struct sent_signal {
	uint32_t call;
	uint32_t process;
	int sig;
};

struct task_state {
	uint32_t files;
	struct vec after; /* what its next call follows */
	uint32_t vfork_parent;
	bool ended;
};

struct process_state {
	uint32_t last; /* call of any of its tasks */
	uint32_t n_live;
	struct vec child_exits; /* in order */
	uint32_t n_children;    /* not waited for */
	uint32_t n_ended;       /* of these */
	uint32_t ends;          /* object of how many have ended, or NONE */
	struct vec maybe;       /* ends that a wait happened to meet, see effects_process.c */
	uint32_t there, shown;  /* objects, or NONE: see dh_proc_exists() */
};

struct builder {
	struct dh_history *h;
	uint32_t now;
	struct vec after;
	uint32_t seen;                      /* the end that the call has met, or NONE */
	const struct dh_ev_call *ev, *next; /* of the task */
	const struct dh_hist_given *given;  /* to the call, or NULL */
	uint32_t task;
	uint32_t root_pid;

	struct task_state *task_states;
	struct process_state *process_states;
	size_t cap_task_states, cap_process_states;

	struct inode *inodes;
	size_t n_inodes, cap_inodes;
	struct open_file *open;
	size_t n_open, cap_open;
	struct files *files;
	size_t n_files, cap_files;
	union {
		struct {
			struct dh_map task_ids;    /* the recorder's number -> task */
			struct dh_map by_identity; /* -> inode */
			struct dh_map inherited;   /* inode -> open file that came from outside */
			struct dh_map names;       /* hash of path -> object of the name */
			struct dh_map lists;       /* hash of directory -> object of its list */
			struct dh_map stored;      /* hashes of names that some call changes */
			struct dh_map listed;      /* hashes of directories that are listed */
			struct dh_map removals;    /* hash of name -> last call that removed it */
			struct dh_map globals;     /* part and id -> object */
			struct dh_map addresses;   /* hash of address -> inode bound there */
			struct dh_map connects;    /* the same -> struct vec of inode, call */
			struct dh_map pids;        /* pid -> process */
			struct dh_map wakes;       /* futex and the like -> struct vec of calls */
			struct dh_map watched;     /* hash of directory -> inode of inotify */
		};
		struct dh_map maps[14];
	};

	struct recent *recent; /* by object */
	size_t n_recent;
	size_t cap_objects, cap_accesses, cap_calls, cap_tasks, cap_processes, cap_recent,
		cap_signals, cap_spans;

	struct sent_signal *sent;
	size_t n_sent, cap_sent;
};

/* history.c */
void dh_build_after(struct builder *b, uint32_t call); /* NONE is allowed */
static inline struct dh_hist_process *dh_build_process(struct builder *b)
{
	return &b->h->processes[b->h->tasks[b->task].process];
}

/* objects.c */
uint64_t dh_hash_text(const char *s);
uint32_t dh_object_new(
	struct builder *b, enum dh_race_what what, const char *name, const char *aspect);
void dh_access(struct builder *b, uint32_t object, enum dh_hist_op op);
void dh_access_range(struct builder *b, uint32_t object, enum dh_hist_op op, uint64_t from,
	uint64_t to, bool sync);
uint32_t dh_inode_of(struct builder *b, const struct dh_ev_ref *ref);
uint32_t dh_inode_anonymous(struct builder *b, const struct dh_ev_ref *ref);
uint32_t dh_inode_object(struct builder *b, uint32_t inode, enum inode_part part);
/* A place that is neither file nor name: (kind, id). */
uint32_t dh_global_object(struct builder *b, unsigned part, uint64_t id, enum dh_race_what what,
	const char *name, const char *aspect);
void dh_name_load(struct builder *b, const struct dh_ev_ref *ref, bool sync);
void dh_name_store(struct builder *b, const struct dh_ev_ref *ref, bool sync);
void dh_list_load(struct builder *b, const char *dir);
void dh_list_store(struct builder *b, const char *dir);
/* Whether there is such a process: it is started, ends, is waited for; and what it is: what it
 * executes, how it is.  To open a file in /proc needs the one, to read it tells the other. */
void dh_proc_exists(struct builder *b, uint32_t process, enum dh_hist_op op);
void dh_proc_shows(struct builder *b, uint32_t process, enum dh_hist_op op);
/* What pass one must know: which names are changed, which directories are listed. */
void dh_objects_prepare(struct builder *b, const struct dh_ev_call *ev);
/* The process that a path in /proc is about, or NONE. */
uint32_t dh_proc_of_path(struct builder *b, const char *path);

/* files.c */
void dh_files_clone(struct builder *b, uint32_t parent, uint32_t child, bool shared);
struct open_file *dh_file_of(struct builder *b, const struct dh_ev_ref *ref);
void dh_files_update(struct builder *b); /* what the call did to descriptors */
void dh_files_exec(struct builder *b);
void dh_files_end(struct builder *b, uint32_t task);
void dh_build_files_release(struct builder *b);

/* streams.c */
bool dh_is_stream(const struct inode *i);
void dh_stream_write(struct builder *b, struct open_file *f, uint64_t n);
void dh_stream_read(struct builder *b, struct open_file *f, uint64_t n);
void dh_stream_closed(struct builder *b, struct open_file *f);
void dh_stream_pair(struct builder *b, uint32_t a, uint32_t c);
void dh_socket_bound(struct builder *b, uint32_t inode, const char *address);
void dh_socket_connect(struct builder *b, uint32_t inode, const char *address);
void dh_socket_accept(struct builder *b, uint32_t listener, uint32_t made);
void dh_streams_release(struct builder *b);

/* locks.c */
void dh_lock_take(struct builder *b, uint32_t inode, const struct lock_range *want);
void dh_lock_drop(struct builder *b, uint32_t inode, uint64_t owner, uint64_t from, uint64_t to);
void dh_locks_release(struct inode *i);

/* effects.c */
/* Whether the call had this effect, given its arguments and what it found. */
bool dh_effect_applies(const struct dh_ev_call *ev, const struct dh_sys_effect *e);
void dh_effects_of_call(struct builder *b);

/* effects_process.c */
void dh_effect_on_process(struct builder *b, enum dh_hist_op op, int part);
void dh_effects_of_end(struct builder *b, int status, uint64_t seq);
void dh_effects_of_signal(struct builder *b, uint32_t task, const struct item *it);
