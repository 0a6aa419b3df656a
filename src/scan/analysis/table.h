/* The retargeting table: what the functions of a system mean for concurrency (RacerX, section 2).
 * Rules are lines of text, the same for the built-in profiles and for a user's file:
 *
 *   VERB NAME [NUMBER...] [WORD...]
 *
 * NAME is a function's name, plain or with * and ?; C++ names are given as people write them,
 * without parameters (std::mutex::lock).  Numbers are arguments, counted from 1.  A later rule
 * replaces an earlier one of the same name, so that a user's file wins.
 * The table owns its strings.  One thread. */
#pragma once
#include "base/forward.h"

enum dh_scan_verb {
	DH_SV_NONE,
	DH_SV_ACQUIRE,   /* acquire NAME lock */
	DH_SV_RELEASE,   /* release NAME lock */
	DH_SV_TRY,       /* try NAME lock success=N|nonzero */
	DH_SV_INIT,      /* init NAME lock */
	DH_SV_DESTROY,   /* destroy NAME lock */
	DH_SV_HELD,      /* held NAME lock: an assertion */
	DH_SV_GUARD,     /* guard NAME object lock: a constructor that acquires */
	DH_SV_UNGUARD,   /* unguard NAME object: a destructor that releases */
	DH_SV_RELOCK,    /* relock NAME object */
	DH_SV_UNLOCK,    /* unlock NAME object: releases what the guard has */
	DH_SV_WAIT,      /* wait NAME cond lock: releases and takes again */
	DH_SV_SIGNAL,    /* signal NAME cond */
	DH_SV_SEM_WAIT,  /* sem-wait NAME sem */
	DH_SV_SEM_TRY,   /* sem-try NAME sem success=N */
	DH_SV_SEM_POST,  /* sem-post NAME sem */
	DH_SV_SEM_INIT,  /* sem-init NAME sem value */
	DH_SV_BARRIER,   /* barrier NAME barrier */
	DH_SV_CREATE,    /* create NAME function argument [id] */
	DH_SV_START,     /* start NAME id object: C++ thread objects; see thread.c */
	DH_SV_JOIN,      /* join NAME id */
	DH_SV_SELF,      /* self NAME: returns the id of who calls */
	DH_SV_DETACH,    /* detach NAME id */
	DH_SV_ONCE,      /* once NAME control function */
	DH_SV_HANDLER,   /* handler NAME function [signal]: asynchronous, interrupts */
	DH_SV_ASYNC,     /* async NAME function [argument]: runs some time, possibly many times */
	DH_SV_CALLS,     /* calls NAME function [argument]: calls it back before it returns */
	DH_SV_AT_EXIT,   /* at-exit NAME function [its last argument]: calls it when main is over */
	DH_SV_ALLOC,     /* alloc NAME: the result is fresh memory */
	DH_SV_FREE,      /* free NAME pointer */
	DH_SV_EXITS,     /* exits NAME: does not return */
	DH_SV_SETS_JUMP, /* sets-jump NAME buffer: setjmp() */
	DH_SV_JUMPS,     /* jumps NAME buffer value: longjmp() */
	DH_SV_THROWS,    /* throws NAME: an exception leaves it, and nothing else */
	DH_SV_CATCHES,   /* catches NAME: the exception is over */
	DH_SV_SUPPOSES,  /* supposes NAME: behind it the exception is there or not */
	DH_SV_BLOCKS,    /* blocks NAME: may sleep */
	DH_SV_ATOMIC, /* atomic NAME pointer: an atomic operation on what the argument points to */
	/* effect NAME [reads=N,N] [writes=N,N] [returns=N] [publishes=N] [hidden=NAME [read]] */
	DH_SV_EFFECT,
	DH_SV_LOCK_TYPE, /* lock-type NAME attributes kind: 1 is recursive; adopt: 1 is robust */
	DH_SV_MASK,      /* mask NAME how: blocks signals (0) or lets them through again */
	DH_SV_ALL,       /* lock-all NAME locks: several at once, without deadlock */
	DH_SV_OWNS,      /* owns NAME guard: whether it has its lock */
	DH_SV_BENIGN,    /* benign NAME address: races on what is there are meant */
	DH_SV_TEAM, /* team NAME function [argument]: several threads at once execute it, with two
		     * numbers and the arguments from there on, and are waited for */
	DH_SV_OWN,  /* own NAME [pointers]: numbers that no other thread gets */
	DH_SV_CHANNEL, /* channel NAME [array]: opens descriptors on which reads wait for writes */
	DH_SV_SEND,    /* send NAME descriptor [reads=N] */
	DH_SV_RECEIVE, /* receive NAME descriptor [writes=N] */
	DH_SV_CLOSES,  /* closes NAME descriptor */
	DH_SV_SECTION, /* section NAME lock=NAME: its body runs with the lock held */
	DH_SV_IGNORE,  /* ignore NAME: not looked into, no effect */
	DH_SV_SINGLE,  /* single NAME: an annotator: runs while nothing else does */
	DH_SV_MULTI,   /* multi NAME: may run in several threads at once */
	DH_SV_INTERRUPT, /* interrupt NAME: an interrupt or signal handler */
	DH_SV_SETUP,     /* setup NAME: functions that make objects or take them down */
	DH_SV_COUNTER,   /* counter NAME: variables that tolerate lost updates */
	DH_SV_SCORE,     /* score NAME points */
	DH_SV_LIMIT,     /* limit NAME number */
	DH_SV_TRAIT,     /* trait NAME: switches of a profile */
	DH_SV_COUNT,
};

enum dh_scan_word {
	DH_SW_SPIN = 1 << 0,      /* waits without sleeping */
	DH_SW_BLOCK = 1 << 1,     /* may sleep */
	DH_SW_READ = 1 << 2,      /* shared with other readers */
	DH_SW_RECURSIVE = 1 << 3, /* the owner may take it again */
	DH_SW_IRQ_OFF = 1 << 4,   /* interrupts are off afterwards */
	DH_SW_IRQ_ON = 1 << 5,
	DH_SW_BH_OFF = 1 << 6, /* soft interrupts, likewise */
	DH_SW_BH_ON = 1 << 7,
	DH_SW_ROB = 1 << 8, /* release-on-block: a holder that sleeps lets go of it */
	DH_SW_NO_ORDER =
		1 << 9, /* never part of a deadlock: RCU, interrupts off, seqlock readers */
	DH_SW_MAY_BLOCK = 1 << 10, /* blocks: only if its flags argument says so */
	DH_SW_ADOPT = 1 << 11,
	DH_SW_BYVALUE = 1 << 12, /* the id or lock is inside the object of the argument */
	DH_SW_SEM = 1 << 13,     /* a semaphore that is used as a lock */
	DH_SW_READER = 1 << 14,  /* who only reads under it is in order: RCU, seqlocks */
	DH_SW_MAYBE = 1 << 15,   /* throws: where something is wrong that hardly ever is */
	/* signal: who waits comes behind all who signal, not only one; exits: the whole program,
	 * with what it has registered for that; channel, receive: what it returns is one, too */
	DH_SW_ALL = DH_SW_MAYBE,
};

/* The most arguments that a rule names. */
#define DH_SCAN_ARGS 4

struct dh_scan_rule {
	const char *name;
	enum dh_scan_verb verb;
	uint16_t words;            /* enum dh_scan_word */
	uint8_t n_args;            /* of arg[] */
	uint8_t arg[DH_SCAN_ARGS]; /* from 1; 0: none */
	uint8_t returns;           /* the result is this argument */
	uint8_t exclusive;         /* this argument says whether others are kept out; 0: words do */
	uint32_t reads, writes, publishes; /* bit n-1: argument n */
	int32_t failure; /* TRY: the result of failing, when it is one value; 0: any other, or 0
			  * where success is another */
	int32_t success; /* TRY: this result is success ... */
	bool success_nonzero; /* ... or any but 0 */
	const char *lock;     /* a lock with a name instead of an argument: lock=NAME */
	const char *hidden;   /* EFFECT: what it has for all callers together: hidden=NAME */
	double number;        /* of score and limit */
};

struct dh_scan_table;

struct dh_scan_table *dh_scan_table_new(void);
void dh_scan_table_free(struct dh_scan_table *t);

/* Adds every line of text.  0, or -EINVAL with the line in err; what is called source there. */
int dh_scan_table_parse(
	struct dh_scan_table *t, const char *source, const char *text, struct dh_error *err);
/* The rules of a built-in profile: "pthreads", "linux", "glib".  -ENOENT: there is none such. */
int dh_scan_table_profile(struct dh_scan_table *t, const char *name, struct dh_error *err);
/* Their names, ended by NULL. */
const char *const *dh_scan_profile_names(void);

/* The rule for a function of this name (plain first, then patterns, the newest first), or NULL.
 * Only rules that say what a call does: annotators and numbers are asked for below. */
const struct dh_scan_rule *dh_scan_table_find(const struct dh_scan_table *t, const char *name);
/* The first annotator that matches: SINGLE, MULTI, INTERRUPT or IGNORE; NONE. */
enum dh_scan_verb dh_scan_table_annotation(const struct dh_scan_table *t, const char *name);
bool dh_scan_table_is_setup(const struct dh_scan_table *t, const char *name);
bool dh_scan_table_is_counter(const struct dh_scan_table *t, const char *name);
bool dh_scan_table_trait(const struct dh_scan_table *t, const char *name);
/* What a score or limit line says, else fallback. */
double dh_scan_table_number(
	const struct dh_scan_table *t, enum dh_scan_verb verb, const char *name, double fallback);
/* Does text match a pattern with * and ? ?  Linear in both for patterns with one star. */
bool dh_scan_glob(const char *pattern, const char *text);
