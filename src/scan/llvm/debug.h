/* Debug information of a module: types with their members, and the places of things.
 *
 * The C interface of LLVM gives metadata as nodes with operands; which operand is what has been the
 * same from LLVM 14 on, the exceptions are in debug.c.  It does not give the DWARF tag, so the kind
 * of a type is told from its shape: a pointer has a size and no name, a typedef a name and no size.
 *
 * A struct dh_di and all it hands out live as long as the module's context.  One thread. */
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/arena.h"
#include "base/map.h"

enum dh_di_kind {
	DH_DI_UNKNOWN, /* void, and what is only declared */
	DH_DI_BASIC,   /* numbers, enums */
	DH_DI_POINTER,
	DH_DI_STRUCT,
	DH_DI_UNION,
	DH_DI_ARRAY,
	DH_DI_FUNCTION,
};

struct dh_di_type;

struct dh_di_member {
	const char *name; /* NULL: an anonymous struct or union, or a base class */
	struct dh_di_type *type;
	uint64_t offset_bits, size_bits;
	bool bitfield;
	bool artificial; /* the pointer to the virtual table */
};

/* Typedefs and qualifiers are gone. */
struct dh_di_type {
	enum dh_di_kind kind;
	LLVMMetadataRef md;
	const char
		*name; /* with namespaces; for anonymous ones a typedef or a place; may be NULL */
	uint64_t size; /* bytes */
	struct dh_di_type *target; /* pointers and arrays */
	struct dh_di_member *members;
	size_t n_members;
	bool complete; /* members and target were read */
	uint32_t ir;   /* id of the type in the program, 0: not made yet */
};

struct dh_di {
	LLVMContextRef context;
	struct dh_arena arena;
	struct dh_map types;         /* LLVMMetadataRef -> struct dh_di_type */
	struct dh_strset type_names; /* last part of the name -> list in by_name */
	struct dh_map by_name;       /* id in type_names -> struct dh_di_named */
	const char *root;            /* file names below it are relative to it; NULL: none is */
};

void dh_di_init(struct dh_di *d, LLVMContextRef context, const char *root);
void dh_di_release(struct dh_di *d);
/* Reads the types that casts mention, so that they are found by name. */
void dh_di_add_retained(struct dh_di *d, LLVMModuleRef module);

/* The operand of a metadata node, or NULL. */
LLVMMetadataRef dh_di_operand(struct dh_di *d, LLVMMetadataRef node, unsigned n);
/* Its text, when it is a string; borrowed from the arena.  NULL when there is none. */
const char *dh_di_string(struct dh_di *d, LLVMMetadataRef node, unsigned n);

/* NULL for void and for what is not a type. */
struct dh_di_type *dh_di_type(struct dh_di *d, LLVMMetadataRef md);
/* The type of a DILocalVariable, DIGlobalVariable or of what a subprogram returns. */
struct dh_di_type *dh_di_variable_type(struct dh_di *d, LLVMMetadataRef variable);
/* Result first, then the parameters; NULL entries are void and variadic. */
size_t dh_di_signature(
	struct dh_di *d, LLVMMetadataRef subroutine, struct dh_di_type **ret, size_t max);
/* Makes members and target valid. */
void dh_di_complete(struct dh_di *d, struct dh_di_type *t);
/* The struct or union of that name, without namespaces, and size; size 0: any.  NULL: none. */
struct dh_di_type *dh_di_named(struct dh_di *d, const char *name, uint64_t size);

/* "Outer::Inner::" of the scope; "" at the top, and for what is inside of a function. */
const char *dh_di_scope_name(struct dh_di *d, LLVMMetadataRef scope);
/* The file of a scope, variable or type, as reports name it.  NULL: not known. */
const char *dh_di_file(struct dh_di *d, LLVMMetadataRef file);
