#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/llvm/lift.h"

static uint64_t length_of(LLVMValueRef v)
{
	return LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

static void copy_memory(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_value to = dh_lift_value(l, LLVMGetOperand(inst, 0));
	struct dh_lift_value from = dh_lift_value(l, LLVMGetOperand(inst, 1));
	uint64_t size = length_of(LLVMGetOperand(inst, 2));

	dh_lift_access(l, DH_SCAN_READ, from, 0, size, DH_SCAN_WHOLE);
	dh_lift_access(
		l, DH_SCAN_WRITE, to, dh_scan_load(l->program, from.node), size, DH_SCAN_WHOLE);
}

static void set_memory(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_value to = dh_lift_value(l, LLVMGetOperand(inst, 0));
	LLVMValueRef byte = LLVMGetOperand(inst, 1);
	bool zero = LLVMIsAConstantInt(byte) && LLVMConstIntGetZExtValue(byte) == 0;

	dh_lift_access(l, DH_SCAN_WRITE, to, zero ? dh_scan_const(l->program, 0) : 0,
		length_of(LLVMGetOperand(inst, 2)), DH_SCAN_WHOLE);
}

static void same_value(struct dh_lift *l, LLVMValueRef inst)
{
	dh_lift_set(l, inst, dh_lift_value(l, LLVMGetOperand(inst, 0)));
}

/* The address of a member with an annotation. */
static void annotated(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_value v = dh_lift_value(l, LLVMGetOperand(inst, 0));
	const char *text = dh_lift_text(l, LLVMGetOperand(inst, 1));

	/* The address of the first member of a global is written as that of the global. */
	if (dh_scan_node(l->program, v.node)->op != DH_SCAN_FIELD)
		dh_lift_descend(l, &v, 0, 0);
	if (text && dh_scan_node(l->program, v.node)->op == DH_SCAN_FIELD)
		dh_lift_fact(l, text, 0, dh_scan_node(l->program, v.node)->b);
	dh_lift_set(l, inst, v);
}

static void sum(struct dh_lift *l, LLVMValueRef inst, enum dh_scan_binary op)
{
	struct dh_lift_value a = dh_lift_value(l, LLVMGetOperand(inst, 0));
	struct dh_lift_value b = dh_lift_value(l, LLVMGetOperand(inst, 1));

	dh_lift_set(l, inst,
		(struct dh_lift_value){.node = dh_scan_binary(l->program, op, a.node, b.node)});
}

static void checked_add(struct dh_lift *l, LLVMValueRef inst)
{
	sum(l, inst, DH_SCAN_ADD);
}

static void checked_sub(struct dh_lift *l, LLVMValueRef inst)
{
	sum(l, inst, DH_SCAN_SUB);
}

/* Nothing here is a constant that its author did not write as one. */
static void not_constant(struct dh_lift *l, LLVMValueRef inst)
{
	dh_lift_set(l, inst, (struct dh_lift_value){.node = dh_scan_const(l->program, 0)});
}

/* Up to here an exception comes if it is of another type: it may be, and it may not.  A call, so
 * that the analysis knows. */
static void compare_type(struct dh_lift *l, LLVMValueRef inst)
{
	uint32_t symbol = dh_scan_function_symbol(l->program, "llvm.eh.typeid.for");

	dh_scan_build_call(l->build, dh_scan_global(l->program, symbol), NULL, 0);
}

/* Intrinsics by the beginning of their names; all others do nothing that matters here. */
static const struct {
	const char *prefix;
	void (*lift)(struct dh_lift *l, LLVMValueRef inst);
} intrinsics[] = {
	{"llvm.memcpy.", copy_memory},
	{"llvm.memmove.", copy_memory},
	{"llvm.memset.", set_memory},
	{"llvm.expect.", same_value},
	{"llvm.annotation.", same_value},
	{"llvm.launder.invariant.group", same_value},
	{"llvm.strip.invariant.group", same_value},
	{"llvm.threadlocal.address", same_value},
	{"llvm.preserve.struct.access.index", same_value},
	{"llvm.ptr.annotation.", annotated},
	{"llvm.is.constant.", not_constant},
	{"llvm.eh.typeid.for", compare_type},
	{"llvm.sadd.with.overflow", checked_add},
	{"llvm.uadd.with.overflow", checked_add},
	{"llvm.ssub.with.overflow", checked_sub},
	{"llvm.usub.with.overflow", checked_sub},
};

static void lift_intrinsic(struct dh_lift *l, LLVMValueRef inst, const char *name)
{
	for (size_t i = 0; i < DH_ARRAY_SIZE(intrinsics); i++) {
		if (strncmp(name, intrinsics[i].prefix, strlen(intrinsics[i].prefix)) == 0) {
			intrinsics[i].lift(l, inst);
			return;
		}
	}
}

/* What a call returns points to, when the debug information of the callee says so. */
static struct dh_di_type *result_target(struct dh_lift *l, LLVMValueRef callee)
{
	LLVMMetadataRef sp = LLVMIsAFunction(callee) ? LLVMGetSubprogram(callee) : NULL;
	LLVMMetadataRef type = sp ? dh_di_operand(&l->di, sp, 4) : NULL;
	struct dh_di_type *result[1];

	if (!type || dh_di_signature(&l->di, type, result, 1) != 1)
		return NULL;
	return dh_lift_target(l, result[0]);
}

static void plain_call(struct dh_lift *l, LLVMValueRef inst, LLVMValueRef callee)
{
	unsigned n = LLVMGetNumArgOperands(inst), n_args = 0;
	DH_FREE uint32_t *args = dh_new_n(uint32_t, n + 1);
	struct dh_lift_value target = dh_lift_value(l, callee), place = {0}, ret = {0};
	bool has_place = false;
	uint32_t s;

	for (unsigned i = 0; i < n; i++) {
		struct dh_lift_value v = dh_lift_value(l, LLVMGetOperand(inst, i));

		if (LLVMGetCallSiteEnumAttribute(inst, i + 1, l->attr_sret)) {
			place = v;
			has_place = true;
		} else {
			args[n_args++] = v.node;
		}
	}
	s = dh_scan_build_call(l->build, target.node, args, n_args);
	if (LLVMIsAInvokeInst(inst))
		dh_scan_build_stmt(l->build, s)->flags |= DH_SCAN_INVOKE;
	ret.node = dh_scan_call(l->program, s);
	ret.pointee = result_target(l, callee);
	if (has_place)
		dh_lift_access(l, DH_SCAN_WRITE, place, ret.node, 0, DH_SCAN_WHOLE);
	dh_lift_set(l, inst, ret);
}

static bool is_question(LLVMValueRef callee)
{
	size_t n = 0;
	const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";

	return strncmp(name, "llvm.is.constant.", 17) == 0 ||
	       strncmp(name, "llvm.objectsize.", 16) == 0;
}

bool dh_lift_is_question(LLVMValueRef call)
{
	return is_question(LLVMGetCalledValue(call));
}

bool dh_lift_has_questions(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (is_question(f))
			return true;
	return false;
}

void dh_lift_call(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMValueRef callee = LLVMGetCalledValue(inst);
	const char *name;
	size_t n = 0;

	while (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
		callee = LLVMGetOperand(callee, 0);
	if (LLVMIsAInlineAsm(callee)) {
		dh_lift_asm(l, inst, callee);
		return;
	}
	name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
	if (strncmp(name, "llvm.", 5) == 0)
		lift_intrinsic(l, inst, name);
	else
		plain_call(l, inst, callee);
}
