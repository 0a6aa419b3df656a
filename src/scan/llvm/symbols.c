#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/extract/names.h"
#include "scan/llvm/lift.h"

/* Initialisers nest as the types do. */
#define MAX_NESTING 64
/* LLVM's number for !dbg. */
#define KIND_DBG 0

/* From the C++ library, which LLVM itself needs. */
char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status);

static LLVMMetadataRef variable_of(LLVMValueRef global)
{
	size_t n = 0;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
	LLVMMetadataRef found = NULL;

	for (unsigned i = 0; i < n && !found; i++) {
		LLVMMetadataRef md = LLVMValueMetadataEntriesGetMetadata(all, i);

		if (LLVMValueMetadataEntriesGetKind(all, i) == KIND_DBG &&
			LLVMGetMetadataKind(md) == LLVMDIGlobalVariableExpressionMetadataKind)
			found = LLVMDIGlobalVariableExpressionGetVariable(md);
	}
	LLVMDisposeValueMetadataEntries(all);
	return found;
}

struct dh_di_type *dh_lift_global_type(struct dh_lift *l, LLVMValueRef global)
{
	struct dh_di_type *t = dh_map_getp(&l->global_types, (uint64_t)(uintptr_t)global);
	LLVMMetadataRef variable;

	if (t || !LLVMIsAGlobalVariable(global))
		return t;
	variable = variable_of(global);
	t = variable ? dh_di_variable_type(&l->di, variable) : NULL;
	dh_map_setp(&l->global_types, (uint64_t)(uintptr_t)global, t);
	return t;
}

/* As a person wrote it: from the linker's name when that says all, else from debug information. */
static uint32_t pretty(struct dh_lift *l, const char *name, const char *scope, const char *written)
{
	DH_FREE char *whole = NULL, *shown = NULL;

	if (strncmp(name, "_Z", 2) == 0)
		whole = __cxa_demangle(name, NULL, NULL, NULL);
	if (whole)
		shown = dh_scan_short_name(whole);
	else if (written)
		shown = dh_asprintf("%s%s", scope ? scope : "", written);
	return dh_scan_str(l->program, shown ? shown : name);
}

static void describe_function(struct dh_lift *l, LLVMValueRef f, struct dh_scan_symbol *s)
{
	LLVMMetadataRef sp = LLVMGetSubprogram(f), type;
	const char *name = dh_scan_text(l->program, s->name);

	s->flags |= DH_SCAN_SYM_FUNCTION;
	if (LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, l->attr_noreturn))
		s->flags |= DH_SCAN_SYM_NORETURN;
	if (!sp) {
		s->pretty = pretty(l, name, NULL, NULL);
		return;
	}
	s->file = dh_scan_str(l->program, dh_di_file(&l->di, dh_di_operand(&l->di, sp, 0)));
	s->line = LLVMDISubprogramGetLine(sp);
	s->pretty = pretty(l, name, NULL, dh_di_string(&l->di, sp, 2));
	type = dh_di_operand(&l->di, sp, 4);
	s->type = type ? dh_lift_type(l, dh_di_type(&l->di, type)) : 0;
}

static bool inside_function(LLVMMetadataRef scope)
{
	LLVMMetadataKind kind = scope ? LLVMGetMetadataKind(scope) : LLVMDIFileMetadataKind;

	return kind == LLVMDISubprogramMetadataKind || kind == LLVMDILexicalBlockMetadataKind ||
	       kind == LLVMDILexicalBlockFileMetadataKind;
}

static void describe_variable(struct dh_lift *l, LLVMValueRef v, struct dh_scan_symbol *s)
{
	LLVMMetadataRef variable = variable_of(v), scope;
	const char *name = dh_scan_text(l->program, s->name);

	if (LLVMIsThreadLocal(v))
		s->flags |= DH_SCAN_SYM_THREAD;
	if (LLVMIsGlobalConstant(v))
		s->flags |= DH_SCAN_SYM_CONST;
	if (!variable) {
		s->pretty = pretty(l, name, NULL, NULL);
		return;
	}
	scope = LLVMDIVariableGetScope(variable);
	if (inside_function(scope))
		s->flags |= DH_SCAN_SYM_LOCAL;
	s->file = dh_scan_str(l->program, dh_di_file(&l->di, LLVMDIVariableGetFile(variable)));
	s->line = LLVMDIVariableGetLine(variable);
	s->pretty = pretty(l, inside_function(scope) ? "" : name, dh_di_scope_name(&l->di, scope),
		dh_di_string(&l->di, variable, 1));
	s->type = dh_lift_type(l, dh_lift_global_type(l, v));
}

static uint32_t make_symbol(struct dh_lift *l, LLVMValueRef global)
{
	size_t n = 0;
	LLVMLinkage linkage = LLVMGetLinkage(global);
	const char *section = LLVMGetSection(global);
	struct dh_scan_symbol s = {.name = dh_scan_str(l->program, LLVMGetValueName2(global, &n))};

	if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
		s.flags |= DH_SCAN_SYM_STATIC;
	if (!LLVMIsDeclaration(global))
		s.flags |= DH_SCAN_SYM_DEFINED;
	if (section && section[0]) {
		s.section = dh_scan_str(l->program, section);
		if (strstr(section, "percpu"))
			s.flags |= DH_SCAN_SYM_PERCPU;
	}
	if (LLVMIsAFunction(global))
		describe_function(l, global, &s);
	else
		describe_variable(l, global, &s);
	/* What has no place of its own belongs to the unit. */
	if (s.flags & DH_SCAN_SYM_STATIC && !s.file)
		s.file = dh_scan_str(l->program, l->main_file);
	return dh_scan_symbol_add(l->program, &s);
}

/* Another name for a function or variable: other units may call it by that name. */
static uint32_t make_alias(struct dh_lift *l, LLVMValueRef alias)
{
	LLVMValueRef to = LLVMAliasGetAliasee(alias);
	size_t n = 0;
	struct dh_scan_symbol s = {.name = dh_scan_str(l->program, LLVMGetValueName2(alias, &n))};
	uint32_t target;

	while (LLVMIsAConstantExpr(to) && LLVMGetNumOperands(to) > 0)
		to = LLVMGetOperand(to, 0);
	if (!LLVMIsAFunction(to))
		return LLVMIsAGlobalVariable(to) ? dh_lift_symbol(l, to) : 0;
	target = dh_lift_symbol(l, to);
	s.pretty = pretty(l, dh_scan_text(l->program, s.name), NULL, NULL);
	s.flags = l->program->symbols[target].flags & ~(uint32_t)DH_SCAN_SYM_STATIC;
	s.type = l->program->symbols[target].type;
	s.file = l->program->symbols[target].file;
	s.line = l->program->symbols[target].line;
	s.alias = target;
	return dh_scan_symbol_add(l->program, &s);
}

uint32_t dh_lift_symbol(struct dh_lift *l, LLVMValueRef global)
{
	uint64_t id;

	if (dh_map_get(&l->symbols, (uint64_t)(uintptr_t)global, &id))
		return (uint32_t)id;
	if (LLVMIsAGlobalAlias(global))
		id = make_alias(l, global);
	else if (LLVMIsAFunction(global) || LLVMIsAGlobalVariable(global))
		id = make_symbol(l, global);
	else
		id = 0;
	dh_map_set(&l->symbols, (uint64_t)(uintptr_t)global, id);
	return (uint32_t)id;
}

const char *dh_lift_text(struct dh_lift *l, LLVMValueRef v)
{
	LLVMValueRef init;
	const char *s;
	size_t n = 0;

	while (LLVMIsAConstantExpr(v) && LLVMGetNumOperands(v) > 0)
		v = LLVMGetOperand(v, 0);
	init = LLVMIsAGlobalVariable(v) ? LLVMGetInitializer(v) : NULL;
	if (!init || !LLVMIsAConstantDataSequential(init) || !LLVMIsConstantString(init))
		return NULL;
	s = LLVMGetAsString(init, &n);
	return dh_arena_strndup(&l->di.arena, s, strnlen(s, n));
}

void dh_lift_fact(struct dh_lift *l, const char *text, uint32_t symbol, uint32_t field)
{
	static const char prefix[] = "deadheat:";
	const char *kind, *colon;
	struct dh_scan_fact fact = {.symbol = symbol, .field = field};

	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return;
	kind = text + sizeof(prefix) - 1;
	colon = strchr(kind, ':');
	if (!colon)
		return;
	DH_FREE char *word = dh_strndup(kind, (size_t)(colon - kind));
	fact.kind = dh_scan_str(l->program, word);
	fact.text = dh_scan_str(l->program, colon + 1);
	dh_scan_fact_add(l->program, &fact);
}

static bool is_pointer_constant(LLVMValueRef c)
{
	return LLVMIsAFunction(c) || LLVMIsAGlobalVariable(c) || LLVMIsAGlobalAlias(c) ||
	       LLVMIsAConstantExpr(c);
}

/* PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP: the type of lock stands behind four other numbers. */
static bool is_recursive_mutex(LLVMValueRef c, LLVMTypeRef type)
{
	const char *name = LLVMGetStructName(type);
	LLVMValueRef kind;

	if (!name || strcmp(name, "struct.__pthread_mutex_s") != 0 || LLVMGetNumOperands(c) < 5)
		return false;
	kind = LLVMGetOperand(c, 4);
	return LLVMIsAConstantInt(kind) && LLVMConstIntGetZExtValue(kind) == 1;
}

/* The pointers within an initialiser, each with the member where it stands; and 1 where a recursive
 * lock does. */
static void initialise(struct dh_lift *l, struct dh_lift_value root, LLVMValueRef c,
	uint64_t offset, unsigned depth)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
	int n = LLVMGetNumOperands(c);
	uint32_t value;
	uint64_t each;

	if (depth > MAX_NESTING)
		return;
	if (depth == 0 && LLVMIsAConstantInt(c) && LLVMGetIntTypeWidth(type) <= 64 &&
		!LLVMIsNull(c)) {
		dh_scan_init_add(l->program, root.node,
			dh_scan_const(l->program, LLVMConstIntGetSExtValue(c)));
	} else if (is_pointer_constant(c)) {
		value = dh_lift_value(l, c).node;
		dh_lift_descend(l, &root, offset, LLVMStoreSizeOfType(l->layout, type));
		if (root.node && dh_scan_node(l->program, dh_scan_object(l->program, value))->op ==
					 DH_SCAN_GLOBAL)
			dh_scan_init_add(l->program, root.node, value);
	} else if (is_struct && LLVMIsAConstantStruct(c)) {
		if (is_recursive_mutex(c, type)) {
			dh_lift_descend(l, &root, offset, LLVMStoreSizeOfType(l->layout, type));
			dh_scan_init_add(l->program, root.node, dh_scan_const(l->program, 1));
			return;
		}
		for (int i = 0; i < n; i++)
			initialise(l, root, LLVMGetOperand(c, (unsigned)i),
				offset + LLVMOffsetOfElement(l->layout, type, (unsigned)i),
				depth + 1);
	} else if (LLVMIsAConstantArray(c)) {
		each = LLVMABISizeOfType(l->layout, LLVMGetElementType(type));
		for (int i = 0; i < n; i++)
			initialise(l, root, LLVMGetOperand(c, (unsigned)i),
				offset + each * (uint64_t)i, depth + 1);
	}
}

/* Virtual tables: the entries of each class in it count from the place that objects point to. */
static void initialise_vtable(struct dh_lift *l, uint32_t table, LLVMValueRef init)
{
	int n = LLVMIsAConstantStruct(init) ? LLVMGetNumOperands(init) : 0;

	for (int i = 0; i < n; i++) {
		LLVMValueRef part = LLVMGetOperand(init, (unsigned)i);
		int m = LLVMIsAConstantArray(part) ? LLVMGetNumOperands(part) : 0;

		for (int k = 1; k < m; k++) {
			uint32_t slot = dh_scan_const(l->program, k - 2);
			uint32_t value = dh_lift_value(l, LLVMGetOperand(part, (unsigned)k)).node;

			if (dh_scan_node(l->program, value)->op == DH_SCAN_GLOBAL)
				dh_scan_init_add(
					l->program, dh_scan_index(l->program, table, slot), value);
		}
	}
}

static void annotate_globals(struct dh_lift *l, LLVMValueRef list)
{
	int n = LLVMIsAConstantArray(list) ? LLVMGetNumOperands(list) : 0;

	for (int i = 0; i < n; i++) {
		LLVMValueRef row = LLVMGetOperand(list, (unsigned)i), about;
		const char *text;

		if (!LLVMIsAConstantStruct(row) || LLVMGetNumOperands(row) < 2)
			continue;
		about = LLVMGetOperand(row, 0);
		while (LLVMIsAConstantExpr(about) && LLVMGetNumOperands(about) > 0)
			about = LLVMGetOperand(about, 0);
		text = dh_lift_text(l, LLVMGetOperand(row, 1));
		if (text)
			dh_lift_fact(l, text, dh_lift_symbol(l, about), 0);
	}
}

/* What runs before main(): constructors of static objects, and functions that ask for it. */
static void lift_constructors(struct dh_lift *l, LLVMValueRef list)
{
	int n = LLVMIsAConstantArray(list) ? LLVMGetNumOperands(list) : 0;

	for (int i = 0; i < n; i++) {
		LLVMValueRef row = LLVMGetOperand(list, (unsigned)i), f;

		if (!LLVMIsAConstantStruct(row) || LLVMGetNumOperands(row) < 2)
			continue;
		f = LLVMGetOperand(row, 1);
		if (LLVMIsAFunction(f))
			dh_lift_fact(l, "deadheat:constructor:", dh_lift_symbol(l, f), 0);
	}
}

static void lift_global(struct dh_lift *l, LLVMValueRef g)
{
	LLVMValueRef init = LLVMGetInitializer(g);
	struct dh_lift_value root;
	size_t n = 0;
	const char *name = LLVMGetValueName2(g, &n);

	if (strcmp(name, "llvm.global.annotations") == 0 && init)
		annotate_globals(l, init);
	if (strcmp(name, "llvm.global_ctors") == 0 && init)
		lift_constructors(l, init);
	if (!init || strncmp(name, "llvm.", 5) == 0)
		return;
	root = dh_lift_value(l, g);
	if (dh_scan_node(l->program, root.node)->op != DH_SCAN_GLOBAL)
		return;
	if (strncmp(name, "_ZTV", 4) == 0)
		initialise_vtable(l, root.node, init);
	else
		initialise(l, root, init, 0, 0);
}

/* What is to be assumed of a function, for those that have no body; commas separate them. */
static void assume(struct dh_lift *l, LLVMValueRef f)
{
	static const char kind[] = "llvm.assume", next_fact[] = ",deadheat:";
	LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(
		f, LLVMAttributeFunctionIndex, kind, sizeof(kind) - 1);
	unsigned n = 0;
	const char *value = a ? LLVMGetStringAttributeValue(a, &n) : NULL;
	char *text = value ? dh_arena_strndup(&l->di.arena, value, n) : NULL, *end;

	for (; text; text = end) {
		end = strstr(text, next_fact);
		if (end)
			*end++ = 0;
		dh_lift_fact(l, text, dh_lift_symbol(l, f), 0);
	}
}

void dh_lift_globals(struct dh_lift *l)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
		lift_global(l, g);
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(l->module); a; a = LLVMGetNextGlobalAlias(a))
		dh_lift_symbol(l, a);
	for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			assume(l, f);
	}
}
