#include "scan/llvm/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "scan/extract/path.h"

/* Which operand is what. */
enum { TYPE_FILE = 0, SCOPE_FILE = 0, TYPE_SCOPE = 1, TYPE_NAME = 2 };
#if DH_LLVM_VERSION >= 21
/* Size and offset became operands, too. */
enum { TYPE_BASE = 5, TYPE_ELEMENTS = 6, SUBROUTINE_TYPES = 5 };
#else
enum { TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBROUTINE_TYPES = 3 };
#endif
enum { VARIABLE_TYPE = 3, UNIT_RETAINED = 5 };

/* Recursion through typedefs of typedefs and the like. */
#define MAX_DEPTH   100
#define MAX_MEMBERS 100000

struct dh_di_named {
	struct dh_di_type *type;
	struct dh_di_named *next;
};

void dh_di_init(struct dh_di *d, LLVMContextRef context, const char *root)
{
	*d = (struct dh_di){.context = context, .root = root};
	dh_strset_init(&d->type_names);
}

void dh_di_release(struct dh_di *d)
{
	dh_arena_release(&d->arena);
	dh_map_release(&d->types);
	dh_map_release(&d->by_name);
	dh_strset_release(&d->type_names);
}

static bool is_node(LLVMMetadataRef md)
{
	switch (LLVMGetMetadataKind(md)) {
	case LLVMMDStringMetadataKind:
	case LLVMConstantAsMetadataMetadataKind:
	case LLVMLocalAsMetadataMetadataKind:
	case LLVMDistinctMDOperandPlaceholderMetadataKind:
		return false;
	default:
		return true;
	}
}

/* All operands as values; the caller frees them. */
static LLVMValueRef *operands(struct dh_di *d, LLVMMetadataRef node, unsigned *ret_n)
{
	LLVMValueRef v, *ops;
	unsigned n;

	*ret_n = 0;
	if (!node || !is_node(node))
		return NULL;
	v = LLVMMetadataAsValue(d->context, node);
	n = (unsigned)LLVMGetMDNodeNumOperands(v);
	ops = dh_new_n(LLVMValueRef, n + 1);
	LLVMGetMDNodeOperands(v, ops);
	*ret_n = n;
	return ops;
}

LLVMMetadataRef dh_di_operand(struct dh_di *d, LLVMMetadataRef node, unsigned n)
{
	unsigned count = 0;
	DH_FREE LLVMValueRef *ops = operands(d, node, &count);

	return n < count && ops[n] ? LLVMValueAsMetadata(ops[n]) : NULL;
}

static const char *string_of(struct dh_di *d, LLVMValueRef v)
{
	unsigned n = 0;
	const char *s = v ? LLVMGetMDString(v, &n) : NULL;

	return s && n ? dh_arena_strndup(&d->arena, s, n) : NULL;
}

const char *dh_di_string(struct dh_di *d, LLVMMetadataRef node, unsigned n)
{
	unsigned count = 0;
	DH_FREE LLVMValueRef *ops = operands(d, node, &count);

	return n < count ? string_of(d, ops[n]) : NULL;
}

static bool is_type(LLVMMetadataRef md)
{
	switch (LLVMGetMetadataKind(md)) {
	case LLVMDIBasicTypeMetadataKind:
	case LLVMDIDerivedTypeMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
	case LLVMDISubroutineTypeMetadataKind:
		return true;
	default:
		return false;
	}
}

static const char *type_name(struct dh_di *d, LLVMMetadataRef md)
{
	size_t n = 0;
	const char *s = LLVMDITypeGetName(md, &n);

	return s && n ? dh_arena_strndup(&d->arena, s, n) : NULL;
}

static const char *name_part(struct dh_di *d, LLVMMetadataRef scope)
{
	switch (LLVMGetMetadataKind(scope)) {
	case LLVMDINamespaceMetadataKind:
	case LLVMDICompositeTypeMetadataKind:
		return dh_di_string(d, scope, TYPE_NAME);
	default:
		return NULL;
	}
}

const char *dh_di_scope_name(struct dh_di *d, LLVMMetadataRef scope)
{
	const char *all = "";

	for (int depth = 0; scope && depth < MAX_DEPTH; depth++) {
		LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
		const char *part = name_part(d, scope);
		char *longer;

		if (part) {
			longer = dh_asprintf("%s::%s", part, all);
			all = dh_arena_strdup(&d->arena, longer);
			free(longer);
		}
		if (kind == LLVMDISubprogramMetadataKind || kind == LLVMDIFileMetadataKind ||
			kind == LLVMDICompileUnitMetadataKind)
			break;
		scope = dh_di_operand(d, scope, TYPE_SCOPE);
	}
	return all;
}

const char *dh_di_file(struct dh_di *d, LLVMMetadataRef file)
{
	unsigned n_dir = 0, n_name = 0;
	const char *dir, *name;

	if (!file || LLVMGetMetadataKind(file) != LLVMDIFileMetadataKind)
		return NULL;
	dir = LLVMDIFileGetDirectory(file, &n_dir);
	name = LLVMDIFileGetFilename(file, &n_name);
	DH_FREE char *in = dh_strndup(dir ? dir : "", n_dir);
	DH_FREE char *base = dh_strndup(name ? name : "", n_name);
	DH_FREE char *path = dh_scan_path(in, base, d->root);

	return dh_arena_strdup(&d->arena, path);
}

/* So that two anonymous types differ, and one is the same in all units: where it stands. */
static const char *anonymous_name(struct dh_di *d, LLVMMetadataRef md)
{
	const char *file = dh_di_file(d, dh_di_operand(d, md, TYPE_FILE));
	const char *base = file ? strrchr(file, '/') : NULL;
	DH_FREE char *name = dh_asprintf("anonymous@%s:%u",
		base   ? base + 1
		: file ? file
		       : "?",
		LLVMDITypeGetLine(md));

	return dh_arena_strdup(&d->arena, name);
}

static struct dh_di_type *new_type(struct dh_di *d, LLVMMetadataRef md, enum dh_di_kind kind)
{
	struct dh_di_type *t = dh_arena_alloc(&d->arena, sizeof(*t));

	t->md = md;
	t->kind = kind;
	t->size = LLVMDITypeGetSizeInBits(md) / 8;
	return t;
}

static void register_name(struct dh_di *d, struct dh_di_type *t, const char *name)
{
	uint32_t id = dh_strset_add(&d->type_names, name);
	struct dh_di_named *n = dh_arena_alloc(&d->arena, sizeof(*n));

	n->type = t;
	n->next = dh_map_getp(&d->by_name, id);
	dh_map_setp(&d->by_name, id, n);
}

struct dh_di_type *dh_di_named(struct dh_di *d, const char *name, uint64_t size)
{
	int64_t id = dh_strset_find(&d->type_names, name);
	struct dh_di_named *n = id < 0 ? NULL : dh_map_getp(&d->by_name, (uint64_t)id);

	while (n && (!n->type->size || (size && n->type->size != size)))
		n = n->next;
	return n ? n->type : NULL;
}

/* Elements tell what a composite type is. */
static enum dh_di_kind composite_kind(struct dh_di *d, LLVMMetadataRef md)
{
	LLVMMetadataRef elements = dh_di_operand(d, md, TYPE_ELEMENTS), first, second;

	first = elements ? dh_di_operand(d, elements, 0) : NULL;
	if (!first)
		return DH_DI_STRUCT;
	switch (LLVMGetMetadataKind(first)) {
	case LLVMDISubrangeMetadataKind:
	case LLVMDIGenericSubrangeMetadataKind:
		return DH_DI_ARRAY;
	case LLVMDIEnumeratorMetadataKind:
		return DH_DI_BASIC;
	default:
		break;
	}
	/* Two members at the same place, neither a bit-field: a union.  One of a single member
	 * behaves like a struct of it. */
	second = dh_di_operand(d, elements, 1);
	if (!second || LLVMGetMetadataKind(first) != LLVMDIDerivedTypeMetadataKind ||
		LLVMGetMetadataKind(second) != LLVMDIDerivedTypeMetadataKind)
		return DH_DI_STRUCT;
	if (LLVMDITypeGetSizeInBits(first) && !LLVMDITypeGetOffsetInBits(first) &&
		!LLVMDITypeGetOffsetInBits(second) &&
		!((LLVMDITypeGetFlags(first) | LLVMDITypeGetFlags(second)) &
			LLVMDIFlagStaticMember))
		return DH_DI_UNION;
	return DH_DI_STRUCT;
}

static struct dh_di_type *composite(struct dh_di *d, LLVMMetadataRef md, const char *alias)
{
	struct dh_di_type *t = new_type(d, md, composite_kind(d, md));
	const char *name = type_name(d, md), *scope;
	char *full;

	if (t->kind == DH_DI_ARRAY)
		return t;
	if (!name) {
		t->name = alias ? alias : anonymous_name(d, md);
		register_name(d, t, t->name);
		return t;
	}
	scope = dh_di_scope_name(d, dh_di_operand(d, md, TYPE_SCOPE));
	full = dh_asprintf("%s%s", scope, name);
	t->name = dh_arena_strdup(&d->arena, full);
	free(full);
	register_name(d, t, name);
	return t;
}

static struct dh_di_type *resolve(
	struct dh_di *d, LLVMMetadataRef md, const char *alias, unsigned depth);

/* Typedefs and qualifiers lead on; what has a size and no name is a pointer or reference. */
static struct dh_di_type *derived(
	struct dh_di *d, LLVMMetadataRef md, const char *alias, unsigned depth)
{
	const char *name = type_name(d, md);

	if (!name && LLVMDITypeGetSizeInBits(md))
		return new_type(d, md, DH_DI_POINTER);
	return resolve(d, dh_di_operand(d, md, TYPE_BASE), name ? name : alias, depth + 1);
}

static struct dh_di_type *resolve(
	struct dh_di *d, LLVMMetadataRef md, const char *alias, unsigned depth)
{
	struct dh_di_type *t;

	if (!md || depth > MAX_DEPTH || !is_type(md))
		return NULL;
	t = dh_map_getp(&d->types, (uint64_t)(uintptr_t)md);
	if (t)
		return t;
	switch (LLVMGetMetadataKind(md)) {
	case LLVMDIDerivedTypeMetadataKind:
		t = derived(d, md, alias, depth);
		break;
	case LLVMDICompositeTypeMetadataKind:
		t = composite(d, md, alias);
		break;
	case LLVMDISubroutineTypeMetadataKind:
		t = new_type(d, md, DH_DI_FUNCTION);
		break;
	default:
		t = new_type(d, md, DH_DI_BASIC);
		t->name = type_name(d, md);
	}
	if (t)
		dh_map_setp(&d->types, (uint64_t)(uintptr_t)md, t);
	return t;
}

struct dh_di_type *dh_di_type(struct dh_di *d, LLVMMetadataRef md)
{
	return resolve(d, md, NULL, 0);
}

struct dh_di_type *dh_di_variable_type(struct dh_di *d, LLVMMetadataRef variable)
{
	return dh_di_type(d, dh_di_operand(d, variable, VARIABLE_TYPE));
}

size_t dh_di_signature(
	struct dh_di *d, LLVMMetadataRef subroutine, struct dh_di_type **ret, size_t max)
{
	LLVMMetadataRef list = dh_di_operand(d, subroutine, SUBROUTINE_TYPES);
	unsigned n = 0;
	DH_FREE LLVMValueRef *ops = operands(d, list, &n);

	n = DH_MIN(n, (unsigned)max);
	for (unsigned i = 0; i < n; i++)
		ret[i] = ops[i] ? dh_di_type(d, LLVMValueAsMetadata(ops[i])) : NULL;
	return n;
}

/* False for what takes no place in the object: functions, static members, nested types. */
static bool read_member(struct dh_di *d, LLVMMetadataRef md, struct dh_di_member *ret)
{
	LLVMDIFlags flags;

	if (LLVMGetMetadataKind(md) != LLVMDIDerivedTypeMetadataKind)
		return false;
	flags = LLVMDITypeGetFlags(md);
	if (flags & LLVMDIFlagStaticMember)
		return false;
	*ret = (struct dh_di_member){
		.name = type_name(d, md),
		.type = dh_di_type(d, dh_di_operand(d, md, TYPE_BASE)),
		.offset_bits = LLVMDITypeGetOffsetInBits(md),
		.size_bits = LLVMDITypeGetSizeInBits(md),
		.bitfield = flags & LLVMDIFlagBitField,
		.artificial = flags & LLVMDIFlagArtificial,
	};
	if (!ret->size_bits && ret->type)
		ret->size_bits = ret->type->size * 8;
	/* A typedef among the elements of a class has a name and no size. */
	return !(ret->name && LLVMDITypeGetSizeInBits(md) == 0 &&
		 !(ret->type && ret->type->kind == DH_DI_ARRAY));
}

static void read_members(struct dh_di *d, struct dh_di_type *t)
{
	LLVMMetadataRef list = dh_di_operand(d, t->md, TYPE_ELEMENTS);
	unsigned n = 0;
	DH_FREE LLVMValueRef *ops = operands(d, list, &n);

	n = DH_MIN(n, (unsigned)MAX_MEMBERS);
	t->members = dh_arena_alloc(&d->arena, (n + 1) * sizeof(*t->members));
	for (unsigned i = 0; i < n; i++) {
		if (ops[i] &&
			read_member(d, LLVMValueAsMetadata(ops[i]), &t->members[t->n_members]))
			t->n_members++;
	}
}

void dh_di_complete(struct dh_di *d, struct dh_di_type *t)
{
	if (t->complete)
		return;
	t->complete = true;
	if (t->kind == DH_DI_POINTER || t->kind == DH_DI_ARRAY)
		t->target = dh_di_type(d, dh_di_operand(d, t->md, TYPE_BASE));
	else if (t->kind == DH_DI_STRUCT || t->kind == DH_DI_UNION)
		read_members(d, t);
}

void dh_di_add_retained(struct dh_di *d, LLVMModuleRef module)
{
	unsigned n = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu"), count;
	DH_FREE LLVMValueRef *units = dh_new_n(LLVMValueRef, n + 1);

	LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
	for (unsigned i = 0; i < n; i++) {
		LLVMMetadataRef list =
			dh_di_operand(d, LLVMValueAsMetadata(units[i]), UNIT_RETAINED);
		DH_FREE LLVMValueRef *ops = operands(d, list, &count);

		for (unsigned k = 0; k < count; k++) {
			if (ops[k])
				dh_di_type(d, LLVMValueAsMetadata(ops[k]));
		}
	}
}
