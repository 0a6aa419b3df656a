/* Internal to scan/link. */
#pragma once
#include "scan/link/link.h"

/* A place that can hold the address of a function.  Members are taken together for all objects of
 * their type; elements of an array are one. */
struct dh_scan_slot {
	uint32_t *functions; /* symbols, in the order in which they came; sorted in the end */
	uint32_t n, cap;
	uint32_t spread; /* so many of them have gone on to edges and calls */
	uint32_t edges;  /* first of those to the slots that this one is copied to; 0: none */
	uint32_t calls;  /* first of the calls through it; 0: none */
	bool queued;
};

struct dh_scan_flow_edge {
	uint32_t to, next;
};

/* A call through a slot. */
struct dh_scan_flow_call {
	uint32_t function, stmt, next;
};

struct dh_scan_call_targets {
	uint32_t first, n; /* in the pool */
	enum dh_scan_certainty how;
};

struct dh_scan_links {
	struct dh_scan_program *p;
	uint32_t *identity; /* of symbols, for direct calls */

	struct dh_map slot_of; /* key -> slot */
	struct dh_map members; /* slot and function -> 1: it is there */
	struct dh_map copies;  /* slot and slot -> 1: there is an edge */
	struct dh_scan_slot *slots;
	struct dh_scan_flow_edge *edges;
	struct dh_scan_flow_call *calls;
	uint32_t n_slots, cap_slots, n_edges, cap_edges, n_calls, cap_calls;
	uint32_t *queue;
	uint32_t n_queue, cap_queue;

	struct dh_map targets; /* function and statement -> position in rows */
	struct dh_scan_call_targets *rows;
	uint32_t n_rows, cap_rows;
	uint32_t *pool;
	uint32_t n_pool, cap_pool;

	uint32_t *caller_first; /* by symbol; one more at the end */
	struct dh_scan_caller *callers;
	uint32_t *class_of; /* by symbol: parent in a forest; the root names the class */
	uint8_t *in_class;
};

/* flow.c: who can be where. */
void dh_scan_flow(struct dh_scan_links *l);
/* The slot that a value of this function is read from, or 0; *ret_function is set instead when it
 * is the function itself. */
uint32_t dh_scan_value_slot(
	struct dh_scan_links *l, uint32_t function, uint32_t node, uint32_t *ret_function);
/* The type of what the node is, as far as it is known: of a member, variable, parameter. */
uint32_t dh_scan_value_type(const struct dh_scan_program *p, uint32_t function, uint32_t node);

/* virtual.c: calls through virtual tables. */
struct dh_scan_classes;
struct dh_scan_classes *dh_scan_classes_new(const struct dh_scan_program *p);
void dh_scan_classes_free(struct dh_scan_classes *c);
/* Appends the symbols that the call may reach to the links' pool; their number.  -1: it is not such
 * a call. */
int dh_scan_virtual_targets(struct dh_scan_classes *c, struct dh_scan_links *l, uint32_t function,
	const struct dh_scan_stmt *s);

void dh_scan_pool_add(struct dh_scan_links *l, uint32_t symbol);
