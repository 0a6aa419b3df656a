/* Private to this folder: what happened in a recording, in the order in which it took effect.
 * A call that wakes others up has its effect when it begins (they may go on before it returns), any
 * other one when it is over. */
#pragma once
#include "base/forward.h"

struct dh_ev_call;
struct dh_hist_given;

enum item_kind { ITEM_CALL, ITEM_CLONE, ITEM_END, ITEM_SIGNAL };

struct item {
	uint64_t time, nth; /* the order; nth decides where times are equal */
	uint64_t seq;
	enum item_kind kind;
	uint32_t task;                     /* the recorder's number */
	const struct dh_ev_call *ev;       /* in the arena; NULL for signals */
	uint32_t other;                    /* clone: the new task; signal: its number */
	uint32_t pid, tid;                 /* of a new task */
	uint64_t flags;                    /* of clone */
	int status;                        /* of an end */
	bool blocked;                      /* signal: but for the call that let it in */
	const struct dh_ev_call *next;     /* the next call of the task, or NULL */
	const struct dh_hist_given *given; /* what came from outside, or NULL */
};

struct items {
	struct item *items;
	size_t n, cap;
	size_t n_described; /* calls that the recording says something about */
	uint32_t root_pid;
};

/* The caller frees items->items. */
int dh_items_load(
	struct items *items, const char *dir, struct dh_arena *arena, struct dh_error *err);
