/* Symbolic objects: the bottoms of paths that only the analysis knows, as nodes of op
 * DH_SCAN_THREAD whose number leads to a row of the table here.  A node over such bottoms names a
 * value in one abstract execution: `p->lock` with p a fresh allocation is FIELD(sym, lock).
 * Two generations are kept of what a loop makes anew: the present one, and OLD for all before.
 * The table is part of struct dh_scan_run.  One thread. */
#pragma once
#include "base/map.h"
#include "scan/ir/ir.h"

enum dh_sym_kind {
	DH_SYM_NONE,
	DH_SYM_HEAP,   /* memory that the call (fn, at) allocated last */
	DH_SYM_FRAME,  /* local variable number at of fn */
	DH_SYM_PARAM,  /* parameter number at of fn, where nothing is known about it */
	DH_SYM_RESULT, /* what the call (fn, at) returned */
	DH_SYM_PHI,    /* what paths that meet at block at of fn left in the cell other */
	DH_SYM_OLD,    /* an earlier generation of the symbol other */
	DH_SYM_SET,    /* one of several values */
	DH_SYM_THREAD, /* the id of thread number at; other is 1: as the thread itself knows it */
	DH_SYM_OWN,    /* the node other, different in every instance of the thread number at */
	DH_SYM_NAMED,  /* what has a name (other, string) and no address: enum dh_sym_named in fn */
	DH_SYM_OUTER,  /* some lock of class other that a caller holds */
	DH_SYM_HELD,   /* lock number at, with thread number other: see under.c */
	DH_SYM_MARK,   /* stands for "the object in question" when two paths are compared */
};

/* One of each for the whole system. */
enum dh_sym_named {
	DH_NAMED_LOCK,
	DH_NAMED_ONCE,   /* the section of a once control (at) */
	DH_NAMED_JUMP,   /* where a state has the buffer of a jump: jump.c */
	DH_NAMED_HIDDEN, /* memory of a library's own */
};

struct dh_sym {
	uint8_t kind;
	bool many;   /* stands for more than one object: made again while an older one lives */
	uint32_t fn; /* function id */
	uint32_t at;
	uint32_t other; /* node, string or symbol number; SET: the choice */
	uint32_t node;
	uint32_t *values; /* SET: members; PHI, PARAM: what came in, as far as it was kept */
	uint32_t n_values, cap_values;
	bool escapes; /* others may have been told of it: see escape.c */
	bool more;    /* values are not all */
	bool claimed; /* a number from a shared counter: nobody else has it (own.c) */
	bool taken;   /* taken out of what threads share, under these locks */
	uint32_t locks;
};

struct dh_syms {
	struct dh_scan_program *p;
	struct dh_sym *rows; /* 0 is unused */
	uint32_t n, cap;
	struct dh_map index;
	uint32_t *unit; /* bit-field -> the first of those that share its storage; else itself */
	uint32_t *same; /* member that is named by its place -> the one with a name; else itself */
};

void dh_syms_init(struct dh_syms *s, struct dh_scan_program *p);
void dh_syms_release(struct dh_syms *s);

/* The node of the symbol, new or old. */
uint32_t dh_sym_get(
	struct dh_syms *s, enum dh_sym_kind kind, uint32_t fn, uint32_t at, uint32_t other);
/* The row, or NULL when the node is none of ours. */
static inline struct dh_sym *dh_sym_of(const struct dh_syms *s, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(s->p, node);

	return n->op == DH_SCAN_THREAD && n->a < s->n ? &s->rows[n->a] : NULL;
}

static inline enum dh_sym_kind dh_sym_kind(const struct dh_syms *s, uint32_t node)
{
	const struct dh_sym *y = dh_sym_of(s, node);

	return y ? (enum dh_sym_kind)y->kind : DH_SYM_NONE;
}

/* One of these values: the value itself if there is one, 0 if there are too many.  choice: the node
 * that names where it was chosen, so that two sets of one choice are known to go together; or 0. */
uint32_t dh_sym_set(struct dh_syms *s, const uint32_t *values, size_t n, uint32_t choice);
/* Remembers that the value reaches this PHI or PARAM. */
void dh_sym_bind(struct dh_syms *s, uint32_t node, uint32_t value);

/* The node with every occurrence of from replaced by to. */
uint32_t dh_sym_subst(struct dh_syms *s, uint32_t node, uint32_t from, uint32_t to);
/* The member of a path: the address of the same place in another object. */
uint32_t dh_sym_rebase(struct dh_syms *s, uint32_t node, uint32_t from, uint32_t to);
/* The last FIELD of an address, or 0; index steps behind it are skipped. */
uint32_t dh_sym_last_field(const struct dh_scan_program *p, uint32_t node);
/* The address with every index unknown: one name for all elements of an array. */
uint32_t dh_sym_any_index(struct dh_syms *s, uint32_t node);
/* Whether the address has no LOAD below it: which object it is in is known. */
bool dh_sym_is_placed(const struct dh_syms *s, uint32_t node);
/* An address of code or data whose object is certain: not symbolic, not one of many. */
bool dh_sym_is_concrete(const struct dh_syms *s, uint32_t node);
