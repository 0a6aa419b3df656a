/* The control block of the scheduling runtime: one shared mapping (a memfd) between `deadheat fuzz`
 * and the program under test.
 *
 * The host creates it, fills in the header, and starts the program with DH_SCHED_ENV set to the
 * number of the inherited descriptor.  The first process that loads the runtime claims the block,
 * maps it and closes the descriptor; everything that it starts later runs undisturbed.  The process
 * then either runs main at once, or (server_in >= 0) becomes a server: it sends one struct
 * dh_sched_status when it is ready, and for each DH_SCHED_RUN on server_in it clears the results,
 * forks a child that runs main under the schedule that `ask` describes, waits for it and sends its
 * status.  End of file on server_in ends the server.
 *
 * The host writes `ask` and the tables of targets and steps only while no child runs, and reads
 * the results only after the status came (heartbeat, child and step may be read at any time).
 * The runtime must not trust the block less than the program does; the host must not trust it at
 * all: every count and every index in it is to be bounded.
 *
 * Addresses of code ("pc") are return addresses: the statement is the call that ends there. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define DH_SCHED_ENV          "DEADHEAT_SCHED"
#define DH_SCHED_MAGIC        0x44484143u
#define DH_SCHED_VERSION      7u

#define DH_SCHED_FRAMES_MAX   32
#define DH_SCHED_LOCKS_MAX    8
#define DH_SCHED_SITES_MAX    8
#define DH_SCHED_WAITERS_MAX  64
#define DH_SCHED_HITS_MAX     16
#define DH_SCHED_TARGETS_MAX  256
#define DH_SCHED_MODULES_MAX  256
#define DH_SCHED_THREADS_MAX  4096
#define DH_SCHED_GRANULES_MAX 16384
#define DH_SCHED_NAME_MAX     256
#define DH_SCHED_TEXT_MAX     4096

/* Where the next thread comes from, whenever there is a choice. */
enum dh_sched_strategy {
	DH_SCHED_CALM,      /* run until the thread blocks; sleeps and time-outs in their order */
	DH_SCHED_RANDOM,    /* any enabled thread, at each point */
	DH_SCHED_ROUND,     /* the next one in a ring after a quantum drawn from the seed */
	DH_SCHED_PCT,       /* priorities, with depth - 1 changes */
	DH_SCHED_POS,       /* partial order sampling: a fresh priority for each operation */
	DH_SCHED_RACE,      /* RaceFuzzer's Algorithm 1 over targets of role DH_TARGET_RACE */
	DH_SCHED_DEADLOCK,  /* threads wait before the acquisitions of a cycle */
	DH_SCHED_ATOMICITY, /* a remote access is brought between two local ones */
	DH_SCHED_ORDER,     /* the statement that comes first is held back until the other ran */
	DH_SCHED_REPLAY,    /* the steps of an earlier run */
	DH_SCHED_STRATEGY_COUNT,
};

/* What the prediction looks for; 0 in runs that only schedule. */
enum dh_sched_detect {
	DH_DETECT_RACES = 1 << 0,      /* hybrid: locksets and happens-before without lock edges */
	DH_DETECT_HB = 1 << 1,         /* with DH_DETECT_RACES: lock edges order accesses too */
	DH_DETECT_LOCK_ORDER = 1 << 2, /* cycles of lock acquisitions */
	DH_DETECT_ATOMICITY = 1 << 3,  /* unserialisable triples */
	DH_DETECT_ORDER = 1 << 4,      /* use before initialisation, after free, after thread end */
	DH_DETECT_HEAP = 1 << 5,       /* quarantine and poison: heap errors end the run */
	DH_DETECT_STACKS = 1 << 6,     /* second run: `granule` in full, with stacks */
};

enum dh_sched_ask_flags {
	DH_ASK_ALL_ACCESSES = 1 << 0, /* every instrumented access is a scheduling point */
	DH_ASK_LOG_ALL = 1 << 1,      /* the log holds every point, not only switches */
	DH_ASK_SPURIOUS = 1 << 2,     /* condition variables may wake without a signal */
	DH_ASK_REAL_TIME = 1 << 3,    /* clocks are the machine's, not logical */
	DH_ASK_STEADY = 1 << 4,       /* between targets, a thread runs until it has to wait */
	DH_ASK_SELDOM = 1 << 5,       /* where chance decides, one that can go on mostly does */
};

enum dh_sched_role {
	DH_TARGET_NONE,
	DH_TARGET_RACE,   /* member of the RaceSet */
	DH_TARGET_LOCK,   /* an acquisition in a cycle of lock orders */
	DH_TARGET_FIRST,  /* atomicity: the first local access; order: what came first */
	DH_TARGET_SECOND, /* atomicity: the second local access; order: what came second */
	DH_TARGET_REMOTE, /* atomicity: what must not come between */
	DH_TARGET_WATCH,  /* prediction: take stacks here */
};

enum dh_sched_access {
	DH_SCHED_WRITE = 1 << 0,  /* else a read */
	DH_SCHED_ATOMIC = 1 << 1, /* two atomic accesses do not race */
	DH_SCHED_FREE = 1 << 2,   /* the end of a heap block; with DH_SCHED_WRITE */
	DH_SCHED_RMW = 1 << 3,    /* reads and writes at once; with DH_SCHED_WRITE */
	DH_SCHED_OBJECT = 1 << 4, /* a lock or the like is used; a write: it begins or ends */
};

/* What a thread was about to do at a scheduling point. */
enum dh_sched_op {
	DH_OP_NONE,
	DH_OP_START, /* the first instruction of a thread */
	DH_OP_EXIT,
	DH_OP_CREATE,
	DH_OP_JOIN,
	DH_OP_LOCK,
	DH_OP_TRYLOCK,
	DH_OP_UNLOCK,
	DH_OP_RDLOCK,
	DH_OP_WRLOCK,
	DH_OP_COND_WAIT,
	DH_OP_COND_WAKE, /* behind a wait, before the lock is taken again */
	DH_OP_COND_SIGNAL,
	DH_OP_COND_BROADCAST,
	DH_OP_SEM_WAIT,
	DH_OP_SEM_POST,
	DH_OP_BARRIER,
	DH_OP_ONCE,
	DH_OP_ATOMIC,
	DH_OP_FENCE,
	DH_OP_ACCESS, /* a target statement, or any access when asked for */
	DH_OP_YIELD,
	DH_OP_SLEEP,
	DH_OP_TIME,    /* asks for the time */
	DH_OP_IO,      /* a system call that may block */
	DH_OP_OUTSIDE, /* back from a system call that the scheduler could not foresee */
	DH_OP_SIGNAL,
	DH_OP_CANCEL,
	DH_OP_FORK,
	DH_OP_BUDGET, /* ran long without any other point */
	DH_OP_USER,   /* annotations: __tsan_mutex_*, fibers */
	DH_OP_COUNT,
};

enum dh_sched_step_flags {
	DH_STEP_SWITCH = 1 << 0,   /* another thread goes on */
	DH_STEP_PREEMPT = 1 << 1,  /* ... although this one could have */
	DH_STEP_CHOICE = 1 << 2,   /* not a switch: `next` is the outcome of a choice */
	DH_STEP_RETURN = 1 << 3,   /* not a switch: thread `next` came back from outside */
	DH_STEP_SPURIOUS = 1 << 4, /* `next` is woken with no signal */
	DH_STEP_TIMEOUT = 1 << 5,  /* `next` is woken because its time is over */
	DH_STEP_RELEASE = 1 << 6,  /* `next` had been postponed */
};

/* Beside DH_STEP_TIMEOUT: `next` is not a thread, but the number of a timer that goes off. */
#define DH_STEP_TIMER 0x80000000u

/* One entry of the schedule, in the order of the run.  `point` counts the points of `thread`
 * alone, so that entries keep their meaning when others are taken away. */
struct dh_sched_step {
	uint32_t thread;
	uint32_t next;
	uint32_t point;
	uint8_t op;      /* enum dh_sched_op */
	uint8_t flags;   /* enum dh_sched_step_flags */
	uint16_t extra;  /* DH_STEP_CHOICE: among how many */
	uint32_t object; /* ordinal of the lock, condition variable, ...; 0: none */
	uint32_t time;   /* points of all threads so far, lower 32 bits */
	uint64_t pc;
	uint64_t address;
};

/* In a program that was not built for fuzzing a target is an instruction: `trap` is its length, the
 * offset that of the next one.  A breakpoint stands there, and the memory that it will access is
 * base + index_register * scale + disp, with registers numbered as debug information does. */
struct dh_sched_target {
	uint32_t module; /* index into `modules` */
	uint8_t role;    /* enum dh_sched_role */
	uint8_t group;   /* targets of one candidate */
	uint16_t index;  /* place in the candidate, from 0 */
	uint64_t offset; /* pc minus the load address of the module */
	uint64_t pc;     /* out: where that is now; 0: not loaded */
	uint8_t trap;    /* 0: an instrumented access, which calls the runtime by itself */
	uint8_t access;  /* enum dh_sched_access */
	int8_t base, index_register; /* -1: none */
	uint32_t size;
	uint32_t scale;
	uint32_t reserved;
	int64_t disp;
};

/* The host fills in the names of modules that targets need (path as the loader knows it, "" for
 * the program itself, always the first); the runtime adds those that it finds. */
struct dh_sched_module {
	char path[DH_SCHED_NAME_MAX];
	uint64_t base; /* load address: pc - base is the address in the file's own terms */
	uint64_t low, high;
};

struct dh_sched_stack {
	uint32_t count;
	uint32_t thread;
	uint64_t pc[DH_SCHED_FRAMES_MAX]; /* innermost first */
};

struct dh_sched_site {
	uint64_t pc;
	uint64_t address;
	uint32_t size;
	uint32_t thread;
	uint8_t access; /* enum dh_sched_access */
	uint8_t op;     /* enum dh_sched_op, for acquisitions */
	uint8_t nlocks;
	uint8_t role;     /* enum dh_sched_role that a confirming run should give it */
	uint32_t object;  /* the lock that is taken here */
	uint32_t hits;    /* how often this site was met in this candidate */
	uint32_t lockset; /* detector's id of the set below */
	uint64_t held_pc; /* deadlock: where the lock that the cycle needs was taken */
	uint32_t locks[DH_SCHED_LOCKS_MAX]; /* ordinals of the locks held */
	uint64_t lock_address[DH_SCHED_LOCKS_MAX];
	struct dh_sched_stack stack;
};

enum dh_sched_candidate_kind {
	DH_CAND_NONE,
	DH_CAND_RACE,
	DH_CAND_DEADLOCK,
	DH_CAND_ATOMICITY,
	DH_CAND_ORDER,
	DH_CAND_MISUSE, /* of a lock; it happened, there is nothing to be brought about */
	DH_CAND_COUNT,
};

enum dh_sched_candidate_sub {
	DH_SUB_NONE,
	DH_SUB_USE_AFTER_FREE,
	DH_SUB_BEFORE_INIT,
	DH_SUB_AFTER_THREAD_END,
	DH_SUB_RWR, /* atomicity: local, remote, local */
	DH_SUB_WWR,
	DH_SUB_WRW,
	DH_SUB_RWW,
	DH_SUB_IN_HANDLER, /* order: a statement, and an access in a handler on the same thread */
	DH_SUB_NOT_HELD,   /* misuse: unlocked, but nobody holds it */
	DH_SUB_HELD_BY_OTHER,
	DH_SUB_WAIT_NOT_HELD, /* a wait on a condition variable without holding the mutex */
	DH_SUB_DESTROY_HELD,
	DH_SUB_DESTROY_WAITED,
};

/* What an address belongs to. */
enum dh_sched_memory {
	DH_MEM_UNKNOWN,
	DH_MEM_HEAP,
	DH_MEM_GLOBAL,
	DH_MEM_STACK, /* of thread `block_thread` */
	DH_MEM_TLS,
};

struct dh_sched_candidate {
	uint32_t kind; /* enum dh_sched_candidate_kind */
	uint32_t nsites;
	uint64_t key; /* hash of the pcs: the same pair has the same key in every run */
	uint32_t hits;
	uint32_t score;
	uint8_t sub;    /* enum dh_sched_candidate_sub */
	uint8_t memory; /* enum dh_sched_memory */
	uint16_t reserved;
	uint32_t block_thread;
	uint64_t block, block_size; /* heap block that holds the address; 0: none */
	struct dh_sched_stack allocated, freed;
	struct dh_sched_site site[DH_SCHED_SITES_MAX];
};

struct dh_sched_thread {
	uint32_t id, parent;
	uint64_t start; /* address of its start routine */
	uint64_t stack_low, stack_high;
	uint32_t ended, reserved;
	char name[16];
	struct dh_sched_stack created;
};

/* Two statements were brought together (RaceFuzzer, line 9 of Algorithm 1). */
struct dh_sched_hit {
	uint64_t time;
	uint32_t resolved;            /* 0: the thread that came last went first */
	uint32_t kind;                /* enum dh_sched_candidate_kind */
	struct dh_sched_site site[2]; /* 0: came last; 1: had been postponed */
};

/* A thread that cannot go on, in an outcome. */
struct dh_sched_waiter {
	uint32_t thread;
	uint32_t owner; /* who holds it, when `owned` */
	uint8_t op;     /* enum dh_sched_op */
	uint8_t owned, in_cycle, reserved;
	uint32_t object;
	uint64_t address;
	uint64_t pc;          /* where it waits */
	uint64_t acquired_pc; /* where the owner took it; 0: not known */
	struct dh_sched_stack stack;
};

enum dh_sched_end {
	DH_END_NONE,     /* still running, or killed from outside */
	DH_END_EXIT,     /* exit status in `status` */
	DH_END_SIGNAL,   /* `status` is the signal */
	DH_END_ASSERT,   /* `text` has the message; SIGABRT follows */
	DH_END_FAIL,     /* deadheat_fail(): `text` */
	DH_END_DEADLOCK, /* waiters, those in the cycle marked */
	DH_END_STUCK,    /* nobody can go on, without a cycle of owners */
	DH_END_LIVELOCK, /* the limit of logical time is used up */
	DH_END_HEAP,     /* double free, use after free, ...: `text` */
	DH_END_OVERFLOW, /* stack overflow of `thread` */
	DH_END_GIVEN_UP, /* the runtime cannot go on: `text` says why; no verdict */
	DH_END_COUNT,
};

/* The process ends by itself with this status when the runtime decides its end. */
#define DH_SCHED_EXIT 117

struct dh_sched_outcome {
	uint32_t end; /* enum dh_sched_end */
	int32_t status;
	uint32_t thread;
	uint32_t nwaiters;
	uint64_t pc, address;
	struct dh_sched_stack stack;
	struct dh_sched_waiter waiter[DH_SCHED_WAITERS_MAX];
	char text[DH_SCHED_TEXT_MAX];
};

/* Everything that decides a run.  Two runs with the same `ask`, targets and steps have the same
 * schedule, as far as the program itself gets the same input. */
struct dh_sched_ask {
	uint32_t strategy; /* enum dh_sched_strategy */
	uint32_t detect;   /* enum dh_sched_detect */
	uint32_t flags;    /* enum dh_sched_ask_flags */
	uint32_t depth;    /* DH_SCHED_PCT: number of ordering constraints, 1 or more */
	uint64_t seed;
	uint64_t length;   /* expected number of points (0: not known); DH_SCHED_PCT */
	uint64_t limit;    /* points until a run counts as livelock; 0: the default */
	uint64_t patience; /* points that a thread stays postponed at most; 0: the default */
	uint64_t budget;   /* accesses of one thread between two points; 0: the default */
	uint64_t time;     /* what logical clocks say at the start, in seconds; 0: the default */
	uint64_t timeout_choice; /* timed waits up to this many ns may end at any point */
	uint32_t ntargets;
	uint32_t nsteps; /* DH_SCHED_REPLAY: entries at steps_offset that are input */
	int32_t cpu;     /* processor to run on; -1: any */
	uint32_t idle;   /* points in a row in loops that only wait: livelock; 0: default */
};

struct dh_sched_result {
	uint64_t hash; /* of the sequence of (thread, operation, object) */
	uint64_t points, switches, preemptions;
	uint64_t outside;    /* calls that the scheduler could not foresee: not repeatable */
	uint64_t diverged;   /* replay: entries that did not fit */
	uint64_t lost_steps; /* that did not fit into the log */
	uint64_t lost_candidates;
	uint64_t lost_history; /* prediction: accesses that could not be kept for comparison */
	uint64_t lost_threads;
	uint64_t hits_total, released, forks;
	uint64_t logical_time; /* ns */
	uint32_t nsteps, ncandidates, nthreads, nhits;
	uint32_t nmodules, nobjects;
	uint64_t idle;     /* the most points in a row in loops that only waited */
	uint64_t handlers; /* of signals that a thread did not send itself */
	uint64_t accesses; /* of instrumented code, as far as its loops still tell of them */
};

struct dh_sched_ctl {
	/* Set once by the host. */
	uint32_t magic, version;
	uint64_t size;
	int32_t server_in, server_out; /* -1: no server, main runs at once */
	uint64_t steps_in_offset, steps_in_max;
	uint64_t steps_offset, steps_max;           /* struct dh_sched_step */
	uint64_t candidates_offset, candidates_max; /* struct dh_sched_candidate */
	uint64_t threads_offset, threads_max;       /* struct dh_sched_thread */
	/* Set by the runtime. */
	uint32_t claimed;         /* pid of the process that has the block */
	uint32_t runtime_version; /* DH_SCHED_VERSION of the runtime */
	uint32_t child;           /* pid, and process group, of the run */
	uint32_t no_server;       /* the server could not be started: `note` says why */
	uint64_t heartbeat;       /* grows while the program makes steps */
	char note[DH_SCHED_NAME_MAX];
	/* Before each run, by the host. */
	struct dh_sched_ask ask;
	struct dh_sched_target target[DH_SCHED_TARGETS_MAX];
	struct dh_sched_module module[DH_SCHED_MODULES_MAX];
	/* By the run. */
	struct dh_sched_result result;
	struct dh_sched_outcome outcome;
	struct dh_sched_hit hit[DH_SCHED_HITS_MAX];
	/* Where threads conflict, in addresses of 8 bytes each.  Written by a prediction without
	 * DH_DETECT_STACKS; one with it, same seed, follows just these, with everything that
	 * candidates of all kinds need.  Kept from run to run. */
	uint32_t ngranules;
	uint64_t granule[DH_SCHED_GRANULES_MAX];
};

#define DH_SCHED_RUN 1u /* command: uint32_t */

struct dh_sched_status {
	uint32_t pid;   /* of the server in the first message, then of the run */
	int32_t status; /* as wait(2) has it */
};
