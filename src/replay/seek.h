/* Private to seek.c and seek_test.c: the search for one point. */
#pragma once
#include "replay/replayer.h"

#include "isa/stub.h"
#include "proc/memhash.h"
#include "replay/patience.h"

#define DH_SEEK_TESTS  64
#define DH_SEEK_LEARN  4
#define DH_SEEK_LIKELY 8

struct seek {
	struct dh_replay *r;
	struct dh_replay_task *t;
	const struct dh_ev_point *p;
	struct dh_window window;
	struct dh_stub stub;
	uint64_t code;               /* where the stub begins */
	struct dh_memhash_skip area; /* its pages, the last one for data; start 0: not mapped */
	uint8_t jump[DH_WINDOW_MAX_BYTES]; /* what stands in the program's place */
	bool patched;
	bool writable; /* the program may change this code itself: it is watched */
	struct dh_stub_test tests[DH_SEEK_TESTS];
	size_t n_tests;
	/* The first visits all trap, to learn what changes from one to the next. */
	int visits;
	uint64_t last[DH_SEEK_TESTS]; /* what each test has seen */
	unsigned changes[DH_SEEK_TESTS];
	uint64_t likely[DH_SEEK_LIKELY]; /* which sums differed last */
	unsigned n_likely;
	struct dh_patience patience;
	uint64_t mask; /* blocked signals, when the task was stopped last */
};

/* What differs between this visit and the recorded point goes to the front of the tests. */
void dh_seek_refine_by_xstate(struct seek *s, const uint8_t *xstate, size_t n);
/* The words of the point, and the pages that are in its description; what differs has become a
 * test. */
bool dh_seek_words_equal(struct seek *s);
bool dh_seek_pages_equal(struct seek *s);
void dh_seek_first_tests(struct seek *s);
/* Notes what this visit looks like; after DH_SEEK_LEARN visits the tests are in their order. */
void dh_seek_learn(struct seek *s, const struct dh_regs *regs);
