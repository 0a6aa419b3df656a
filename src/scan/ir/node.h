/* Values of the scanned program, as hash-consed expressions: equal expressions have equal ids, so
 * that comparing two lock or data paths is comparing two numbers.
 *
 * A node denotes a value; an address is a value.  The path of `p->q->lock`, with p the first
 * parameter, is FIELD(LOAD(FIELD(PARAM 0, foo.q)), bar.lock).  A local variable is a place in
 * memory like any other: `x` is LOAD(FRAME x), its address FRAME x.  PARAM is the value at entry;
 * clang's copy of a parameter that is never assigned and whose address is not taken is folded into
 * it.
 *
 * PARAM, FRAME and CALL are relative to a function: the function in whose statements they stand.
 * Substituting the caller's arguments for PARAM makes new nodes (dh_scan_node_replace()).
 *
 * Nodes live in struct dh_scan_program and die with it.  Id 0 is "unknown" and equals nothing that
 * matters, not even itself. */
#pragma once
#include "base/forward.h"

struct dh_scan_program;

enum dh_scan_node_op {
	DH_SCAN_UNKNOWN,
	DH_SCAN_CONST,  /* an integer or null: dh_scan_const_value() */
	DH_SCAN_STRING, /* some string literal */
	DH_SCAN_GLOBAL, /* a: symbol; the address of a variable or function */
	DH_SCAN_PARAM,  /* a: number, from 0 */
	DH_SCAN_FRAME,  /* a: number of the local; its address */
	DH_SCAN_CALL, /* a: statement; what that call returned, what that update found there before,
		       * or for a compare-exchange whether it succeeded */
	DH_SCAN_LOAD, /* a: address; what is in memory there */
	DH_SCAN_FIELD,   /* a: address of the object, b: field; the address of the member */
	DH_SCAN_INDEX,   /* a: address of an element or array, b: node of the index */
	DH_SCAN_OFFSET,  /* a: address, b: node of a constant, in bytes: container_of() and the like
			  */
	DH_SCAN_BINARY,  /* a, b: operands, sub: enum dh_scan_binary */
	DH_SCAN_COMPARE, /* a, b: operands, sub: enum dh_scan_compare; 0 or 1 */
	DH_SCAN_THREAD,  /* a: number; an unnamed value of the analysis, never made by extraction */
	DH_SCAN_NODE_OPS,
};

enum dh_scan_binary {
	DH_SCAN_ADD,
	DH_SCAN_SUB,
	DH_SCAN_MUL,
	DH_SCAN_DIV,
	DH_SCAN_REM,
	DH_SCAN_AND,
	DH_SCAN_OR,
	DH_SCAN_XOR,
	DH_SCAN_SHL,
	DH_SCAN_SHR,
	DH_SCAN_BINARY_OPS,
};

/* Signed and unsigned are not told apart. */
enum dh_scan_compare {
	DH_SCAN_EQ,
	DH_SCAN_NE,
	DH_SCAN_LT,
	DH_SCAN_LE,
	DH_SCAN_GT,
	DH_SCAN_GE,
	DH_SCAN_COMPARE_OPS,
};

/* Small questions about nodes are answered inline, in ir.h. */
struct dh_scan_node {
	uint8_t op; /* enum dh_scan_node_op */
	uint8_t sub;
	uint16_t size; /* how many nodes one meets when walking it: at most DH_SCAN_MAX_SIZE */
	uint32_t a, b;
	uint32_t mask; /* a bit for each node that one meets: most "is it within?" end here */
};

/* An expression that would be larger is unknown: list walks written out, generated code. */
#define DH_SCAN_MAX_SIZE 64

uint32_t dh_scan_const(struct dh_scan_program *p, int64_t value);
uint32_t dh_scan_string(struct dh_scan_program *p);
uint32_t dh_scan_global(struct dh_scan_program *p, uint32_t symbol);
uint32_t dh_scan_param(struct dh_scan_program *p, uint32_t n);
uint32_t dh_scan_frame(struct dh_scan_program *p, uint32_t local);
uint32_t dh_scan_call(struct dh_scan_program *p, uint32_t stmt);
/* These give the simplest form: loading nothing known is unknown, the member of the member's
 * container is the object again, a comparison of a comparison with 0 is itself or its opposite. */
uint32_t dh_scan_load(struct dh_scan_program *p, uint32_t addr);
uint32_t dh_scan_field_of(struct dh_scan_program *p, uint32_t object, uint32_t field);
uint32_t dh_scan_index(struct dh_scan_program *p, uint32_t base, uint32_t index);
uint32_t dh_scan_offset(struct dh_scan_program *p, uint32_t base, int64_t bytes);
uint32_t dh_scan_binary(struct dh_scan_program *p, enum dh_scan_binary op, uint32_t a, uint32_t b);
/* The comparison that is true when this one (EQ to LE) is false. */
uint8_t dh_scan_opposite(uint8_t comparison);
uint32_t dh_scan_compare(
	struct dh_scan_program *p, enum dh_scan_compare op, uint32_t a, uint32_t b);
/* Any node, with no simplification; for readers of files and for the analysis' own THREAD. */
uint32_t dh_scan_node_add(struct dh_scan_program *p, struct dh_scan_node n);

/* Whether inner occurs anywhere within id. */
bool dh_scan_contains(const struct dh_scan_program *p, uint32_t id, uint32_t inner);

/* Calls map() on each PARAM, FRAME and CALL, and on each LOAD (bottom up, with its operand mapped
 * already), and rebuilds the expression from what it returns; return the node itself to keep it. */
uint32_t dh_scan_node_replace(struct dh_scan_program *p, uint32_t id,
	uint32_t (*map)(void *arg, struct dh_scan_program *p, uint32_t node), void *arg);

struct dh_scan_function;
/* As a person would write it: "p->lock", "table[?].head", "&queue".  f names the parameters and
 * locals; it may be NULL. */
void dh_scan_node_text(const struct dh_scan_program *p, const struct dh_scan_function *f,
	uint32_t id, struct dh_buf *out);
