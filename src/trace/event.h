/* What the events of a recording say.  Each kind has a payload struct, an encoder that appends to a
 * buffer and a decoder that checks every length: recordings are untrusted input.
 * Decoded payloads borrow their bytes from the event.  The layout belongs to the trace format:
 * changing it means a new DH_TRACE_VERSION. */
#pragma once
#include "base/forward.h"
#include "isa/regs.h"

struct dh_trace_event;
struct iovec;

enum dh_ev {
	DH_EV_FILE = 1, /* a file that is mapped later: path, identity, hash */
	DH_EV_EXEC,     /* a new image: mappings, initial stack, registers */
	DH_EV_CLONE,    /* a new task */
	DH_EV_ENTER,    /* a task gave up its turn at the entry of a system call */
	DH_EV_SYSCALL,  /* a system call has ended: result and what the kernel wrote */
	DH_EV_MAP,      /* the same, for calls that change the address space */
	DH_EV_SIGNAL,   /* a handler was entered */
	DH_EV_TSC,      /* the time stamp counter was read */
	DH_EV_PREEMPT,  /* a task was stopped in the program's code to let another one run */
	DH_EV_EXIT,     /* a task has ended */
	DH_EV_SHARED, /* bytes of a file that is mapped shared were changed through a descriptor */
	DH_EV_BUFFER, /* calls that the injected library recorded by itself */
	DH_EV_PATCH,  /* a system call instruction was replaced by a jump to that library */
	DH_EV_WRITE,  /* a system call that is not over yet wrote to memory */
	DH_EV_CHECKPOINT, /* the whole state follows, so that a replay can begin here: */
	DH_EV_PROCESS,    /* its address space and signal actions */
	DH_EV_MEMORY,     /* contents of memory */
	DH_EV_TASK,       /* registers and what else belongs to one thread */
	DH_EV_CALL,       /* what a system call was about: trace/call.h */
	DH_EV_RANDOM,     /* a random number was drawn from the processor */
	DH_EV_COUNT,
};

/* Name for people: "syscall", "signal".  NULL when not known. */
const char *dh_ev_name(int kind);

/* Bytes that something outside the program wrote into its memory. */
struct dh_ev_write {
	uint64_t addr;
	const uint8_t *data;
	uint64_t len;
};

/* A list of writes, still encoded; walked with dh_ev_next_write(). */
struct dh_ev_writes {
	const uint8_t *at, *end;
	uint64_t n;
};

/* 1: *ret filled; 0: end; -EBADMSG. */
int dh_ev_next_write(struct dh_ev_writes *w, struct dh_ev_write *ret);

struct dh_ev_file {
	uint64_t id;
	const char *path;
	uint64_t size, mtime_ns;
	char hash[33];
	bool stored; /* a copy is in the recording; otherwise the original must still match */
};

struct dh_ev_vma {
	uint64_t start, end, offset;
	uint64_t file; /* id of a DH_EV_FILE, 0: anonymous */
	int prot;
	bool shared, grows_down;
	uint64_t key; /* shared mappings with the same key are the same memory; 0: private */
};

struct dh_ev_exec {
	uint32_t pid;     /* the process, whose only thread now has the same id */
	const char *path; /* the executable */
	struct dh_regs regs;
	uint64_t mask, ignored;  /* signals that are blocked, and ignored */
	const uint8_t *vma_data; /* walked with dh_ev_next_vma() */
	uint64_t vma_len;
	struct dh_ev_writes writes; /* the initial stack, and pages that exec has changed */
};
int dh_ev_next_vma(const uint8_t **at, const uint8_t *end, struct dh_ev_vma *ret);

struct dh_ev_clone {
	uint32_t child;     /* task number */
	uint32_t child_tid; /* as the program sees it */
	uint32_t child_pid; /* of its process */
	uint64_t flags;     /* CLONE_* */
};

enum dh_ev_syscall_flag {
	DH_EV_ECHO_OUT = 1, /* the call wrote to the recorder's own standard output */
	DH_EV_ECHO_ERR = 2,
	DH_EV_EXECUTE =
		4, /* the replay performs the call too, for its effect; the result is forced */
};

struct dh_ev_syscall {
	int64_t nr;
	uint64_t entry_hash; /* of the registers at the entry of the call */
	/* Of the memory that the kernel reads (sysmodel.h) at the entry, or 0: that is to be
	 * compared when the task gets there, so it is in the first event that says so. */
	uint32_t digest;
	int64_t result;
	unsigned flags;
	struct dh_ev_writes writes;
};

struct dh_ev_enter {
	int64_t nr;
	uint64_t entry_hash;
	uint32_t digest;
};

/* mmap, mremap, brk, shmat, shmdt.  The replay reproduces the effect: [addr, addr + len). */
enum dh_ev_map_op { DH_MAP_NONE, DH_MAP_NEW, DH_MAP_MOVE, DH_MAP_BRK, DH_MAP_UNMAP };

struct dh_ev_map {
	int64_t nr;
	uint64_t entry_hash;
	int64_t result;
	enum dh_ev_map_op op;
	uint64_t old_addr, old_len; /* DH_MAP_MOVE, DH_MAP_BRK: the old break */
	struct dh_ev_vma vma;       /* what is there now */
	unsigned flags;             /* MAP_* beyond the type; MREMAP_* for a move */
};

enum dh_ev_where {
	DH_AT_ENTRY,    /* interrupts the system call whose entry the task has reached */
	DH_AT_BOUNDARY, /* right after the task's last event */
	DH_AT_FAULT,    /* the program's own instruction raised it */
	DH_AT_STOP,     /* just before what stops the task next by itself: a call or a fault */
	DH_AT_POINT,    /* an arbitrary instruction: see struct dh_ev_point */
};

/* An arbitrary point of a task's execution, identified by its state (docs/REPLAY.md). */
struct dh_ev_point {
	struct dh_regs regs;
	const uint8_t *xstate;
	uint64_t xstate_len;
	uint64_t mem_hash;         /* of all writable memory */
	uint64_t mask;             /* blocked signals */
	uint64_t n_words;          /* words near the point, those that changed most first */
	const uint8_t *words;      /* n_words pairs of address and value */
	struct dh_ev_writes pages; /* whole pages near the point, to tell false matches apart */
	uint64_t n_sums;           /* further pages that changed since the last point */
	const uint8_t *sums;       /* n_sums pairs of address and hash (proc/memhash.h) */
	uint64_t cpu_ns;           /* how long the task had run since its last point */
};
void dh_ev_point_word(const struct dh_ev_point *p, uint64_t i, uint64_t *ret_addr, uint64_t *ret);
void dh_ev_point_sum(const struct dh_ev_point *p, uint64_t i, uint64_t *ret_addr, uint64_t *ret);

struct dh_ev_signal {
	int sig;
	enum dh_ev_where where;
	uint64_t entry_hash;      /* of the registers before delivery */
	struct dh_ev_point point; /* DH_AT_POINT */
	/* the state at the first instruction of the handler */
	struct dh_regs regs;
	uint64_t mask;
	bool reset; /* SA_RESETHAND took effect */
	uint64_t frame;
	const uint8_t *frame_data;
	uint64_t frame_len;
};

struct dh_ev_preempt {
	enum dh_ev_where where; /* DH_AT_STOP or DH_AT_POINT */
	uint64_t entry_hash;
	struct dh_ev_point point;
};

struct dh_ev_tsc {
	uint64_t entry_hash;
	uint64_t tsc;
	uint32_t aux;
	int length;
};

struct dh_ev_random {
	uint64_t entry_hash; /* of the registers behind the breakpoint */
	uint64_t value;
	uint8_t first; /* the byte that the breakpoint has replaced */
};

struct dh_ev_exit {
	int status;                 /* wait status of the task */
	bool last;                  /* the process ends with it */
	bool killed;                /* not by its own exit call */
	struct dh_ev_writes writes; /* robust futexes, done by the kernel on its behalf */
};

struct dh_ev_shared {
	uint64_t key;
	uint64_t offset;
	const uint8_t *data;
	uint64_t len;
	bool truncate; /* the file now ends at offset */
};

/* A checkpoint is one DH_EV_CHECKPOINT; then for each process one DH_EV_PROCESS, any number of
 * DH_EV_MEMORY and one DH_EV_TASK for each of its tasks.  DH_EV_FILE and the DH_EV_MEMORY of shared
 * memories come before the first process that maps them. */
struct dh_ev_checkpoint {
	uint32_t root_pid;
	int root_status; /* wait status, or -1 while it lives */
	uint64_t n_tasks;
};

#define DH_EV_ACTIONS     64
#define DH_EV_ACTION_SIZE 32 /* as rt_sigaction has it */

/* The event belongs to the first of the process's living tasks. */
struct dh_ev_process {
	uint32_t pid;
	uint64_t mm; /* processes with the same number have one address space */
	uint32_t ppid;
	const char *command;             /* the executable and its arguments, for people */
	uint64_t stack;                  /* where it began when the program was executed */
	uint64_t stack_soft, stack_hard; /* limits */
	const uint8_t *actions;          /* DH_EV_ACTIONS of them */
	const uint8_t *vma_data;         /* walked with dh_ev_next_vma() */
	uint64_t vma_len;
};

struct dh_ev_memory {
	uint64_t key;  /* of a shared memory, in which addresses are offsets; 0: the last process */
	uint64_t size; /* of the shared memory, at least */
	struct dh_ev_writes writes;
};

struct dh_ev_task {
	uint32_t tid, pid;
	bool ended; /* only the end of its process is still to come */
	struct dh_regs regs;
	const uint8_t *xstate;
	uint64_t xstate_len;
	uint64_t mask;
	uint64_t altstack[3];
	uint64_t clear_tid, robust;
	const char *name;
};

/* The form of a patch that is only a breakpoint, see isa/random.h. */
#define DH_EV_PATCH_TRAP 0x100

/* A system call instruction now leads into the buffer: struct dh_patch, see proc/patch.h. */
struct dh_ev_patch {
	uint64_t start;
	int32_t constant;
	uint32_t index;
	uint32_t form;
};

/* Where a task was when its buffer was read, as far as the events behind need to know. */
enum dh_ev_until {
	DH_UNTIL_EVENT,  /* anywhere before its next event */
	DH_UNTIL_BEHIND, /* at or beyond the end of the last call */
	DH_UNTIL_ENTRY,  /* inside the next call, which has no record yet */
	DH_UNTIL_COUNT,
};

/* Calls that the buffer recorded, in its own format (wire/buffer.h). */
struct dh_ev_buffer {
	enum dh_ev_until until;
	const uint8_t *records;
	uint64_t len;
	uint64_t n; /* decoded: how many */
	bool shows; /* decoded: some of them wrote to the recorder's own output */
};

/* One of them; its outputs are walked with dh_ev_next_buffered_out(). */
struct dh_ev_buffered {
	int64_t nr, result;
	unsigned n_out;
	const uint8_t *at, *end;
};

struct dh_ev_buffered_out {
	int arg; /* the argument that has the address; -1: addr */
	uint64_t addr;
	const uint8_t *data;
	uint64_t len;
	unsigned shown; /* DH_EV_ECHO_*: there is no data, the program's own bytes went out */
	bool file;      /* addr is the number of a file that was mapped; there is no data */
};

/* 1: *ret filled; 0: end; -EBADMSG. */
int dh_ev_next_buffered(const uint8_t **at, const uint8_t *end, struct dh_ev_buffered *ret);
int dh_ev_next_buffered_out(struct dh_ev_buffered *c, struct dh_ev_buffered_out *ret);

/* Encoders append one whole payload to out. */
void dh_ev_put_file(struct dh_buf *out, const struct dh_ev_file *e);
/* vma_data as built with dh_ev_put_vma(). */
void dh_ev_put_exec(
	struct dh_buf *out, const struct dh_ev_exec *e, const struct dh_buf *writes, uint64_t n);
void dh_ev_put_vma(struct dh_buf *out, const struct dh_ev_vma *v);
void dh_ev_put_clone(struct dh_buf *out, const struct dh_ev_clone *e);
void dh_ev_put_enter(struct dh_buf *out, const struct dh_ev_enter *e);
/* writes: as built with dh_ev_put_write(), n of them. */
void dh_ev_put_syscall(
	struct dh_buf *out, const struct dh_ev_syscall *e, const struct dh_buf *writes, uint64_t n);
void dh_ev_put_write(struct dh_buf *out, uint64_t addr, const void *data, uint64_t len);
void dh_ev_put_map(struct dh_buf *out, const struct dh_ev_map *e);
void dh_ev_put_signal(struct dh_buf *out, const struct dh_ev_signal *e);
void dh_ev_put_preempt(struct dh_buf *out, const struct dh_ev_preempt *e);
void dh_ev_put_tsc(struct dh_buf *out, const struct dh_ev_tsc *e);
void dh_ev_put_random(struct dh_buf *out, const struct dh_ev_random *e);
void dh_ev_put_exit(
	struct dh_buf *out, const struct dh_ev_exit *e, const struct dh_buf *writes, uint64_t n);
void dh_ev_put_writes(struct dh_buf *out, const struct dh_buf *writes, uint64_t n);
void dh_ev_put_shared(struct dh_buf *out, const struct dh_ev_shared *e);
void dh_ev_put_checkpoint(struct dh_buf *out, const struct dh_ev_checkpoint *e);
void dh_ev_put_process(struct dh_buf *out, const struct dh_ev_process *e);
void dh_ev_put_memory(
	struct dh_buf *out, const struct dh_ev_memory *e, const struct dh_buf *writes, uint64_t n);
void dh_ev_put_task(struct dh_buf *out, const struct dh_ev_task *e);
void dh_ev_put_patch(struct dh_buf *out, const struct dh_ev_patch *e);
/* The payload in two parts, ret[0] and ret[1], of which the second is the records themselves: they
 * may be many. */
void dh_ev_buffer_parts(const struct dh_ev_buffer *e, uint8_t *head, struct iovec *ret);

/* Decoders: 0, or -EBADMSG when the payload is not whole. */
int dh_ev_get_file(const struct dh_trace_event *ev, struct dh_ev_file *ret);
int dh_ev_get_exec(const struct dh_trace_event *ev, struct dh_ev_exec *ret);
int dh_ev_get_clone(const struct dh_trace_event *ev, struct dh_ev_clone *ret);
int dh_ev_get_enter(const struct dh_trace_event *ev, struct dh_ev_enter *ret);
int dh_ev_get_syscall(const struct dh_trace_event *ev, struct dh_ev_syscall *ret);
int dh_ev_get_map(const struct dh_trace_event *ev, struct dh_ev_map *ret);
int dh_ev_get_signal(const struct dh_trace_event *ev, struct dh_ev_signal *ret);
int dh_ev_get_preempt(const struct dh_trace_event *ev, struct dh_ev_preempt *ret);
int dh_ev_get_tsc(const struct dh_trace_event *ev, struct dh_ev_tsc *ret);
int dh_ev_get_random(const struct dh_trace_event *ev, struct dh_ev_random *ret);
int dh_ev_get_exit(const struct dh_trace_event *ev, struct dh_ev_exit *ret);
int dh_ev_get_writes(const struct dh_trace_event *ev, struct dh_ev_writes *ret);
int dh_ev_get_shared(const struct dh_trace_event *ev, struct dh_ev_shared *ret);
int dh_ev_get_checkpoint(const struct dh_trace_event *ev, struct dh_ev_checkpoint *ret);
int dh_ev_get_process(const struct dh_trace_event *ev, struct dh_ev_process *ret);
int dh_ev_get_memory(const struct dh_trace_event *ev, struct dh_ev_memory *ret);
int dh_ev_get_task(const struct dh_trace_event *ev, struct dh_ev_task *ret);
int dh_ev_get_patch(const struct dh_trace_event *ev, struct dh_ev_patch *ret);
/* Every record in it is whole when this succeeds. */
int dh_ev_get_buffer(const struct dh_trace_event *ev, struct dh_ev_buffer *ret);
