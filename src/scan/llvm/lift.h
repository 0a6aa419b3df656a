/* From LLVM's bitcode to the program of scan/ir: the only code that knows LLVM.  It runs in a
 * process of its own (scan/llvm/main.c), because a compiler's library may abort on input that it
 * dislikes, and because loading it costs more than most commands take.
 *
 * The bitcode is unoptimised, so that loads, stores and calls stand as in the source; types and
 * names come from the debug information, since pointers are opaque from LLVM 15 on.  Internal to
 * scan/llvm; everything hangs on one struct dh_lift, which lives for one module. */
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "scan/ir/build.h"
#include "scan/llvm/debug.h"

/* What a value of LLVM is in the program, and the type of what it points to, when it is an address
 * and that is known. */
struct dh_lift_value {
	uint32_t node;
	struct dh_di_type *pointee;
	/* The address of the storage of bit-fields: of this struct, at this bit. */
	struct dh_di_type *bits_owner;
	uint64_t bits_at;
};

/* What is known of an instruction before its function is lifted. */
struct dh_lift_inst {
	struct dh_lift_value value;
	uint32_t order;  /* position in the function */
	uint32_t local;  /* 1 + number of the local, for allocas and phis */
	uint32_t param;  /* 1 + number of the parameter that this alloca always holds */
	uint32_t stores; /* of allocas: how many statements write all of it */
	bool partial;    /* of allocas: parts of it are written */
	bool escapes;
	bool skip; /* belongs to another instruction: reads of a bit-field's neighbours */
};

struct dh_lift {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	struct dh_di di;
	struct dh_scan_program *program;
	uint32_t unit;
	const char *main_file;
	struct dh_map symbols;      /* LLVMValueRef -> id */
	struct dh_map global_types; /* LLVMValueRef of a variable -> struct dh_di_type */
	struct dh_map scope_files;  /* LLVMMetadataRef of a scope -> file name, or NULL */
	struct dh_map asm_texts;    /* LLVMValueRef -> char * in di.arena */
	struct dh_map learnt;       /* LLVMTypeRef of a struct -> struct dh_di_type that it is */
	unsigned attr_sret, attr_byval, attr_noreturn;
	bool asks; /* the module has questions: dh_lift_is_question() */

	/* The function at hand. */
	LLVMValueRef function;
	struct dh_scan_build *build;
	struct dh_map index; /* LLVMValueRef of an instruction -> position in insts */
	struct dh_lift_inst *insts;
	size_t n_insts, cap_insts;
	struct dh_map blocks; /* LLVMBasicBlockRef -> number */
	int sret;             /* number of the argument that is the address of the result, or -1 */
};

/* Adds a module to the program as one unit.  root: see struct dh_di. */
void dh_lift_module(struct dh_scan_program *p, LLVMModuleRef module, const char *main_file,
	const char *root, uint64_t lines);
/* Reads a module from bitcode and adds it to the program as one unit.  0, or -EBADMSG with
 * words. */
int dh_lift_bitcode(struct dh_scan_program *p, const void *bitcode, size_t size,
	const char *main_file, const char *root, uint64_t lines, struct dh_error *err);

/* types.c */
uint32_t dh_lift_type(struct dh_lift *l, struct dh_di_type *t);
/* One level down: the member of the struct that the pointer points to, at this byte. */
void dh_lift_member(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type, unsigned index);
/* To the scalar of this size (bytes) at the address, through first members. */
void dh_lift_descend(struct dh_lift *l, struct dh_lift_value *v, uint64_t offset, uint64_t size);
/* The bit-field of the storage at v that begins at this bit of it; width bits, 0: not known. */
void dh_lift_bitfield(struct dh_lift *l, struct dh_lift_value *v, unsigned bit);
/* A pointer value that was loaded from a place of type t points to this. */
struct dh_di_type *dh_lift_target(struct dh_lift *l, struct dh_di_type *t);

/* values.c */
struct dh_lift_value dh_lift_value(struct dh_lift *l, LLVMValueRef v);
struct dh_lift_inst *dh_lift_inst(struct dh_lift *l, LLVMValueRef v); /* NULL: none */
/* Casts, address arithmetic, comparisons and the like, as instructions or as constants. */
bool dh_lift_pure(struct dh_lift *l, LLVMValueRef v, LLVMOpcode op, struct dh_lift_value *ret);

/* symbols.c */
uint32_t dh_lift_symbol(struct dh_lift *l, LLVMValueRef global);
struct dh_di_type *dh_lift_global_type(struct dh_lift *l, LLVMValueRef global);
/* The text of a constant string, or NULL. */
const char *dh_lift_text(struct dh_lift *l, LLVMValueRef v);
/* Initialisers and annotations of all globals. */
void dh_lift_globals(struct dh_lift *l);
/* "deadheat:KIND:TEXT" as a fact about a symbol or a field; other texts are nobody's business. */
void dh_lift_fact(struct dh_lift *l, const char *text, uint32_t symbol, uint32_t field);

/* locals.c: numbers instructions, finds variables, and tells which of them others can see. */
void dh_lift_prepare(struct dh_lift *l);

/* function.c */
void dh_lift_function(struct dh_lift *l, LLVMValueRef f);
/* Makes the place of the instruction that of the next statements. */
void dh_lift_at(struct dh_lift *l, LLVMValueRef inst);
void dh_lift_set(struct dh_lift *l, LLVMValueRef inst, struct dh_lift_value v);

/* access.c */
void dh_lift_load(struct dh_lift *l, LLVMValueRef inst);
void dh_lift_store(struct dh_lift *l, LLVMValueRef inst);
void dh_lift_rmw(struct dh_lift *l, LLVMValueRef inst);
void dh_lift_cmpxchg(struct dh_lift *l, LLVMValueRef inst);
/* Assigns to or accesses the address, whichever its base calls for; the statement. */
uint32_t dh_lift_access(struct dh_lift *l, enum dh_scan_op op, struct dh_lift_value addr,
	uint32_t value, uint64_t size, uint16_t flags);

/* call.c */
void dh_lift_call(struct dh_lift *l, LLVMValueRef inst);
/* Whether it is a call of an intrinsic that looks at an expression and not at its value:
 * __builtin_constant_p() and its like. */
bool dh_lift_is_question(LLVMValueRef call);
/* Whether the module has any. */
bool dh_lift_has_questions(LLVMModuleRef module);
/* asm.c */
void dh_lift_asm(struct dh_lift *l, LLVMValueRef inst, LLVMValueRef text);
