/* The scanned program, as the analysis sees it: symbols, types, and functions as control flow
 * graphs of statements.  It comes from summaries of translation units (summary.h) or is built by
 * hand (build.h); it knows nothing of compilers.
 *
 * Everything is owned by struct dh_scan_program and dies with it.  Things are named by 32-bit ids;
 * id 0 is "none" everywhere (string 0 is "").  Building is for one thread; a finished program may
 * be read by many, as long as no node is added. */
#pragma once
#include "base/arena.h"
#include "base/map.h"
#include "scan/ir/node.h"

enum dh_scan_type_kind {
	DH_SCAN_TYPE_UNKNOWN,
	DH_SCAN_TYPE_INT, /* also floats, enums and booleans */
	DH_SCAN_TYPE_POINTER,
	DH_SCAN_TYPE_STRUCT, /* also classes */
	DH_SCAN_TYPE_UNION,
	DH_SCAN_TYPE_ARRAY,
	DH_SCAN_TYPE_FUNCTION, /* its name is the signature: "void *(void *)" */
	DH_SCAN_TYPE_KINDS,
};

struct dh_scan_type {
	uint8_t kind;
	uint32_t name;   /* string: the tag, or the typedef of what has no tag: "pthread_mutex_t" */
	uint32_t target; /* type: of a pointer or an array */
	uint64_t size;   /* bytes; 0: not known */
};

struct dh_scan_field {
	uint32_t owner; /* type */
	uint32_t name;  /* string */
	uint32_t type;
	uint32_t offset_bits, size_bits;
	uint32_t storage_bits; /* bit-fields with the same one are read and written together */
	bool bitfield;
};

enum dh_scan_symbol_flags {
	DH_SCAN_SYM_FUNCTION = 1 << 0,
	DH_SCAN_SYM_STATIC = 1 << 1,  /* file-local */
	DH_SCAN_SYM_THREAD = 1 << 2,  /* thread-local */
	DH_SCAN_SYM_CONST = 1 << 3,   /* in read-only memory */
	DH_SCAN_SYM_DEFINED = 1 << 4, /* some unit defines it */
	DH_SCAN_SYM_LOCAL = 1 << 5,   /* a static variable of a function */
	DH_SCAN_SYM_ADDRESS = 1 << 6, /* a function whose address is taken anywhere */
	DH_SCAN_SYM_PERCPU = 1 << 7,  /* in a per-processor section */
	DH_SCAN_SYM_NORETURN = 1 << 8,
};

struct dh_scan_symbol {
	uint32_t name;   /* string: as the linker sees it */
	uint32_t pretty; /* string: as a person wrote it: "Queue::push", "counter" */
	uint32_t flags;
	uint32_t type;
	uint32_t file, line; /* string; where it is declared */
	uint32_t function;   /* its body, or 0 */
	uint32_t alias;      /* symbol: another name for this function, or 0 */
	uint32_t section;    /* string: the linker section, when the source names one */
};

/* A static initialiser: at the address, from the start of the program, stands the value.  Only
 * pointers are kept, 1 for a lock whose owner may take it again, and what a variable that is a
 * number begins with, if not 0. */
struct dh_scan_init {
	uint32_t addr, value; /* nodes */
};

/* What an attribute in the source says: "guarded_by" with "mu", "requires_capability" with "mu". */
struct dh_scan_fact {
	uint32_t kind;   /* string: the name of the attribute */
	uint32_t text;   /* string: its argument, as written */
	uint32_t symbol; /* about this symbol, or */
	uint32_t field;  /* about this field */
};

enum dh_scan_op {
	DH_SCAN_READ = 1, /* addr, size */
	DH_SCAN_WRITE,    /* addr = value, size */
	DH_SCAN_UPDATE, /* a read-modify-write that is one operation: addr, size, value if known */
	DH_SCAN_ASSIGN, /* a local that no other code can see: addr (a path on FRAME) = value */
	DH_SCAN_CALLS,  /* addr: callee; arguments by dh_scan_args(); result CALL(stmt) */
	DH_SCAN_RETURN, /* value, or 0 */
	DH_SCAN_BRANCH, /* addr: the condition; edges TRUE and FALSE */
	DH_SCAN_SWITCH, /* addr: what is compared; edges CASE and DEFAULT */
	DH_SCAN_OPS,
};

enum dh_scan_stmt_flags {
	DH_SCAN_ATOMIC = 1 << 0,    /* an atomic access or builtin */
	DH_SCAN_VOLATILE = 1 << 1,  /* a volatile access, READ_ONCE() included */
	DH_SCAN_BITS = 1 << 2,      /* a bit-field: its neighbours are read and written with it */
	DH_SCAN_WHOLE = 1 << 3,     /* a whole object is copied or set: size bytes from addr on */
	DH_SCAN_ASM = 1 << 4,       /* an operand of inline assembly */
	DH_SCAN_ELSEWHERE = 1 << 5, /* in another file than its function: dh_scan_stmt_file() */
	DH_SCAN_INVOKE = 1 << 6,    /* a call with an UNWIND edge; ends its block */
	DH_SCAN_WEAK = 1 << 7,      /* a compare-exchange: it may not write */
};

/* As in C11; meaningful with DH_SCAN_ATOMIC. */
enum dh_scan_order {
	DH_SCAN_RELAXED,
	DH_SCAN_CONSUME,
	DH_SCAN_ACQUIRE,
	DH_SCAN_RELEASE,
	DH_SCAN_ACQ_REL,
	DH_SCAN_SEQ_CST,
	DH_SCAN_ORDERS,
};

struct dh_scan_stmt {
	uint8_t op;    /* enum dh_scan_op */
	uint8_t order; /* enum dh_scan_order */
	uint16_t flags;
	uint32_t line;
	uint16_t column;
	uint16_t n_args;
	uint32_t size;  /* bytes accessed, 0: not known */
	uint32_t addr;  /* node */
	uint32_t value; /* node; for calls the first of its arguments in the function's args */
};

enum dh_scan_edge_kind {
	DH_SCAN_EDGE_JUMP,
	DH_SCAN_EDGE_TRUE,
	DH_SCAN_EDGE_FALSE,
	DH_SCAN_EDGE_CASE, /* value: node of the constant */
	DH_SCAN_EDGE_DEFAULT,
	DH_SCAN_EDGE_UNWIND, /* an exception leaves the call that ends the block */
	DH_SCAN_EDGE_KINDS,
};

struct dh_scan_edge {
	uint32_t to; /* block */
	uint32_t kind;
	uint32_t value;
};

/* Without edges control ends here: RETURN, or nothing (abort(), an exception leaves). */
struct dh_scan_block {
	uint32_t first, n;      /* statements */
	uint32_t edge, n_edges; /* edges */
};

enum dh_scan_local_flags {
	DH_SCAN_LOCAL_ESCAPES = 1 << 0, /* its address is stored or passed: others may see it */
	DH_SCAN_LOCAL_TEMP = 1 << 1,    /* made by the compiler or the extraction */
	DH_SCAN_LOCAL_ONCE = 1 << 2,    /* assigned by exactly one statement, no part of it alone */
};

struct dh_scan_local {
	uint32_t name; /* string; "" for temporaries */
	uint32_t type;
	uint32_t flags;
};

struct dh_scan_param {
	uint32_t name, type;
};

/* Statements from an #include in the middle of a function. */
struct dh_scan_elsewhere {
	uint32_t stmt, file;
};

enum dh_scan_function_flags {
	DH_SCAN_FN_SHARED = 1 << 0,     /* from a header: the same in every unit that uses it */
	DH_SCAN_FN_ARTIFICIAL = 1 << 1, /* made by the compiler: default constructors, thunks */
};

struct dh_scan_function {
	uint32_t symbol;
	uint32_t file, line; /* string */
	uint32_t unit;
	uint32_t flags;
	uint32_t result; /* type */
	struct dh_scan_param *params;
	struct dh_scan_local *locals;
	struct dh_scan_block *blocks; /* the entry first */
	struct dh_scan_stmt *stmts;
	struct dh_scan_edge *edges;
	uint32_t *args; /* nodes */
	struct dh_scan_elsewhere *elsewhere;
	uint32_t n_params, n_locals, n_blocks, n_stmts, n_edges, n_args, n_elsewhere;
};

struct dh_scan_unit {
	uint32_t file;  /* string: the source file */
	uint64_t lines; /* of the source file itself */
};

struct dh_scan_program {
	struct dh_arena arena;
	struct dh_strset strings;
	struct dh_scan_node *nodes;
	struct dh_scan_type *types;
	struct dh_scan_field *fields;
	struct dh_scan_symbol *symbols;
	struct dh_scan_function **functions;
	struct dh_scan_unit *units;
	struct dh_scan_init *inits;
	struct dh_scan_fact *facts;
	/* Counts include the unused id 0 of the first six. */
	uint32_t n_nodes, n_types, n_fields, n_symbols, n_functions, n_units, n_inits, n_facts;
	uint32_t cap_nodes, cap_types, cap_fields, cap_symbols, cap_functions, cap_units, cap_inits,
		cap_facts;
	uint32_t *node_index; /* open addressing over nodes */
	uint32_t node_index_cap;
	bool flat; /* `a.first.x` is a member of a: it can be reached through either type */
	struct dh_map by_key; /* hash of what identifies a type, field or symbol -> id */
};

static inline const struct dh_scan_node *dh_scan_node(const struct dh_scan_program *p, uint32_t id)
{
	return &p->nodes[id];
}

static inline int64_t dh_scan_const_value(const struct dh_scan_node *n)
{
	return (int64_t)((uint64_t)n->b << 32 | n->a);
}

/* Whether it is a constant; then *ret is its value. */
static inline bool dh_scan_is_const(const struct dh_scan_program *p, uint32_t id, int64_t *ret)
{
	if (p->nodes[id].op != DH_SCAN_CONST)
		return false;
	*ret = dh_scan_const_value(&p->nodes[id]);
	return true;
}

static inline bool dh_scan_is_step(uint8_t op)
{
	return op == DH_SCAN_FIELD || op == DH_SCAN_INDEX || op == DH_SCAN_OFFSET;
}

/* The bottom of a path: follows a through FIELD, INDEX, OFFSET and LOAD to GLOBAL, PARAM, ... */
static inline uint32_t dh_scan_base(const struct dh_scan_program *p, uint32_t id)
{
	while (dh_scan_is_step(p->nodes[id].op) || p->nodes[id].op == DH_SCAN_LOAD)
		id = p->nodes[id].a;
	return id;
}

/* The bottom of an address within one object: like dh_scan_base(), but stops at LOAD. */
static inline uint32_t dh_scan_object(const struct dh_scan_program *p, uint32_t id)
{
	while (dh_scan_is_step(p->nodes[id].op))
		id = p->nodes[id].a;
	return id;
}

/* False: inner certainly does not occur within id.  Costs next to nothing. */
static inline bool dh_scan_may_contain(const struct dh_scan_program *p, uint32_t id, uint32_t inner)
{
	return !(p->nodes[inner].mask & ~p->nodes[id].mask);
}

struct dh_scan_program *dh_scan_program_new(void);
void dh_scan_program_free(struct dh_scan_program *p);

uint32_t dh_scan_str(struct dh_scan_program *p, const char *s); /* NULL is "" */
const char *dh_scan_text(const struct dh_scan_program *p, uint32_t string);

/* The id of the type like this one, new or old.  Named structs and unions are the same when name
 * and size are. */
uint32_t dh_scan_type_add(struct dh_scan_program *p, const struct dh_scan_type *type);
/* The same when owner, name and offset are. */
uint32_t dh_scan_field_add(struct dh_scan_program *p, const struct dh_scan_field *field);
/* The same when the name is, and for file-local ones also file and line.  What is known adds up:
 * flags of definitions and uses are joined, and a definition's type, file and line win. */
uint32_t dh_scan_symbol_add(struct dh_scan_program *p, const struct dh_scan_symbol *symbol);
/* The symbol that other units see under this name, or 0. */
uint32_t dh_scan_symbol_find(const struct dh_scan_program *p, const char *name);
void dh_scan_init_add(struct dh_scan_program *p, uint32_t addr, uint32_t value);
void dh_scan_fact_add(struct dh_scan_program *p, const struct dh_scan_fact *fact);
uint32_t dh_scan_unit_add(struct dh_scan_program *p, const char *file, uint64_t lines);

/* NULL when there is none. */
static inline const struct dh_scan_function *dh_scan_body(
	const struct dh_scan_program *p, uint32_t symbol)
{
	const struct dh_scan_symbol *s = &p->symbols[symbol];

	return p->functions[s->function ? s->function : p->symbols[s->alias].function];
}

static inline const uint32_t *dh_scan_args(
	const struct dh_scan_function *f, const struct dh_scan_stmt *s)
{
	return s->n_args ? f->args + s->value : NULL;
}

/* The symbol that the statement calls by name, or 0 for calls through pointers and other things. */
uint32_t dh_scan_callee(const struct dh_scan_program *p, const struct dh_scan_stmt *s);
/* The block that the statement is in. */
uint32_t dh_scan_block_of(const struct dh_scan_function *f, uint32_t stmt);
/* String: the file in which the statement stands. */
uint32_t dh_scan_stmt_file(const struct dh_scan_function *f, uint32_t stmt);

/* The function in words, one statement a line, for tests and for people who look for a mistake. */
void dh_scan_dump_function(
	const struct dh_scan_program *p, const struct dh_scan_function *f, struct dh_buf *out);
void dh_scan_dump(const struct dh_scan_program *p, struct dh_buf *out);
