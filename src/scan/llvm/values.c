#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "scan/llvm/lift.h"

/* Constant expressions nest; no source is that deep. */
#define MAX_NESTING 64

static struct dh_lift_value value_at(struct dh_lift *l, LLVMValueRef v, unsigned depth);

struct dh_lift_inst *dh_lift_inst(struct dh_lift *l, LLVMValueRef v)
{
	uint64_t i;

	return dh_map_get(&l->index, (uint64_t)(uintptr_t)v, &i) ? &l->insts[i] : NULL;
}

/* The index, counted in what the innermost dimension of an array has: elements of a matrix have one
 * number, in rows and columns. */
static uint32_t flat_index(struct dh_lift *l, LLVMTypeRef type, LLVMValueRef index, unsigned depth)
{
	uint32_t node = value_at(l, index, depth + 1).node;
	int64_t each = 1;

	for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind; type = LLVMGetElementType(type))
		if (__builtin_mul_overflow(each, LLVMGetArrayLength(type), &each))
			return 0;
	return each == 1 ? node
			 : dh_scan_binary(
				   l->program, DH_SCAN_MUL, node, dh_scan_const(l->program, each));
}

/* p[i], or p plus i bytes when LLVM counts in bytes and the debug information does not. */
static void element(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type,
	LLVMValueRef index, unsigned depth)
{
	uint64_t size = LLVMTypeIsSized(type) ? LLVMABISizeOfType(l->layout, type) : 1;
	uint32_t node = flat_index(l, type, index, depth);
	int64_t n = 0;
	bool constant = dh_scan_is_const(l->program, node, &n);

	if (constant && n == 0)
		return;
	if (v->pointee && v->pointee->kind == DH_DI_ARRAY) {
		dh_di_complete(&l->di, v->pointee);
		if (v->pointee->target && v->pointee->target->size == size)
			v->pointee = v->pointee->target;
	}
	if (constant && size == 1 && (!v->pointee || v->pointee->size != 1)) {
		if (n > 0)
			dh_lift_descend(l, v, (uint64_t)n, 0);
		else
			v->node = dh_scan_offset(l->program, v->node, n);
		v->pointee = n > 0 ? v->pointee : NULL;
		return;
	}
	v->node = dh_scan_index(l->program, v->node, node);
	if (v->pointee && v->pointee->size != size)
		v->pointee = NULL;
}

/* An index into an array that stands at the address.  The debug information has one type for all
 * dimensions of an array, LLVM one for each. */
static LLVMTypeRef array_element(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type,
	LLVMValueRef index, unsigned depth)
{
	LLVMTypeRef inner = LLVMGetElementType(type);
	uint32_t node = flat_index(l, inner, index, depth);
	struct dh_scan_node row = *dh_scan_node(l->program, v->node);

	if (row.op == DH_SCAN_INDEX)
		v->node = dh_scan_index(
			l->program, row.a, dh_scan_binary(l->program, DH_SCAN_ADD, row.b, node));
	else
		v->node = dh_scan_index(l->program, v->node, node);
	if (v->pointee && v->pointee->kind == DH_DI_ARRAY) {
		if (LLVMGetTypeKind(inner) != LLVMArrayTypeKind) {
			dh_di_complete(&l->di, v->pointee);
			v->pointee = v->pointee->target;
		}
	} else {
		v->pointee = NULL;
	}
	return inner;
}

/* `&((struct s *)0)->member`: programs write offsetof() like that.  True: *ret bytes. */
static bool offset_from_null(struct dh_lift *l, LLVMValueRef gep, int64_t *ret)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	int n = LLVMGetNumOperands(gep);
	int64_t bytes = 0;

	if (!LLVMIsConstant(gep) || !LLVMIsNull(LLVMGetOperand(gep, 0)) || !LLVMTypeIsSized(type))
		return false;
	for (int i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (!LLVMIsAConstantInt(index))
			return false;
		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned at = (unsigned)LLVMConstIntGetZExtValue(index);

			bytes += (int64_t)LLVMOffsetOfElement(l->layout, type, at);
			type = LLVMStructGetTypeAtIndex(type, at);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		bytes += LLVMConstIntGetSExtValue(index) *
			 (int64_t)LLVMABISizeOfType(l->layout, type);
	}
	*ret = bytes;
	return true;
}

static struct dh_lift_value address(struct dh_lift *l, LLVMValueRef gep, unsigned depth)
{
	struct dh_lift_value v = value_at(l, LLVMGetOperand(gep, 0), depth + 1);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	int n = LLVMGetNumOperands(gep);
	int64_t bytes;

	if (offset_from_null(l, gep, &bytes))
		return (struct dh_lift_value){.node = dh_scan_const(l->program, bytes)};
	if (n > 1)
		element(l, &v, type, LLVMGetOperand(gep, 1), depth);
	for (int i = 2; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		switch (LLVMGetTypeKind(type)) {
		case LLVMStructTypeKind:
			if (!LLVMIsAConstantInt(index))
				return (struct dh_lift_value){0};
			dh_lift_member(l, &v, type, (unsigned)LLVMConstIntGetZExtValue(index));
			type = LLVMStructGetTypeAtIndex(
				type, (unsigned)LLVMConstIntGetZExtValue(index));
			break;
		case LLVMArrayTypeKind:
			type = array_element(l, &v, type, index, depth);
			break;
		default:
			return (struct dh_lift_value){0};
		}
	}
	return v;
}

static const struct {
	LLVMOpcode llvm;
	enum dh_scan_binary ir;
} binaries[] = {
	{LLVMAdd, DH_SCAN_ADD},
	{LLVMSub, DH_SCAN_SUB},
	{LLVMMul, DH_SCAN_MUL},
	{LLVMUDiv, DH_SCAN_DIV},
	{LLVMSDiv, DH_SCAN_DIV},
	{LLVMURem, DH_SCAN_REM},
	{LLVMSRem, DH_SCAN_REM},
	{LLVMAnd, DH_SCAN_AND},
	{LLVMOr, DH_SCAN_OR},
	{LLVMXor, DH_SCAN_XOR},
	{LLVMShl, DH_SCAN_SHL},
	{LLVMLShr, DH_SCAN_SHR},
	{LLVMAShr, DH_SCAN_SHR},
};

static struct dh_lift_value binary(struct dh_lift *l, LLVMValueRef v, LLVMOpcode op, unsigned depth)
{
	struct dh_lift_value a = value_at(l, LLVMGetOperand(v, 0), depth + 1);
	struct dh_lift_value b = value_at(l, LLVMGetOperand(v, 1), depth + 1);
	struct dh_lift_value ret = {0};

	for (size_t i = 0; i < DH_ARRAY_SIZE(binaries); i++) {
		if (binaries[i].llvm == op)
			ret.node = dh_scan_binary(l->program, binaries[i].ir, a.node, b.node);
	}
	return ret;
}

static struct dh_lift_value compare(struct dh_lift *l, LLVMValueRef v, unsigned depth)
{
	static const uint8_t ops[] = {
		[LLVMIntEQ - LLVMIntEQ] = DH_SCAN_EQ,
		[LLVMIntNE - LLVMIntEQ] = DH_SCAN_NE,
		[LLVMIntUGT - LLVMIntEQ] = DH_SCAN_GT,
		[LLVMIntUGE - LLVMIntEQ] = DH_SCAN_GE,
		[LLVMIntULT - LLVMIntEQ] = DH_SCAN_LT,
		[LLVMIntULE - LLVMIntEQ] = DH_SCAN_LE,
		[LLVMIntSGT - LLVMIntEQ] = DH_SCAN_GT,
		[LLVMIntSGE - LLVMIntEQ] = DH_SCAN_GE,
		[LLVMIntSLT - LLVMIntEQ] = DH_SCAN_LT,
		[LLVMIntSLE - LLVMIntEQ] = DH_SCAN_LE,
	};
	struct dh_lift_value a = value_at(l, LLVMGetOperand(v, 0), depth + 1);
	struct dh_lift_value b = value_at(l, LLVMGetOperand(v, 1), depth + 1);
	unsigned op = (unsigned)(LLVMGetICmpPredicate(v) - LLVMIntEQ);

	if (op >= DH_ARRAY_SIZE(ops))
		return (struct dh_lift_value){0};
	return (struct dh_lift_value){
		.node = dh_scan_compare(l->program, (enum dh_scan_compare)ops[op], a.node, b.node)};
}

static bool pure(
	struct dh_lift *l, LLVMValueRef v, LLVMOpcode op, unsigned depth, struct dh_lift_value *ret)
{
	switch (op) {
	case LLVMGetElementPtr:
		*ret = address(l, v, depth);
		return true;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMFreeze:
		*ret = value_at(l, LLVMGetOperand(v, 0), depth + 1);
		return true;
	case LLVMICmp:
		*ret = compare(l, v, depth);
		return true;
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMUDiv:
	case LLVMSDiv:
	case LLVMURem:
	case LLVMSRem:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		*ret = binary(l, v, op, depth);
		return true;
	default:
		return false;
	}
}

bool dh_lift_pure(struct dh_lift *l, LLVMValueRef v, LLVMOpcode op, struct dh_lift_value *ret)
{
	return pure(l, v, op, 0, ret);
}

static struct dh_lift_value global(struct dh_lift *l, LLVMValueRef v)
{
	/* String literals: nobody can write to them, and nobody wants to read of them.  What a
	 * local variable begins with is a constant of that kind, too, but may have pointers. */
	if (LLVMIsAGlobalVariable(v) && LLVMIsGlobalConstant(v) &&
		LLVMGetLinkage(v) == LLVMPrivateLinkage &&
		!(LLVMGetInitializer(v) && LLVMIsAConstantStruct(LLVMGetInitializer(v))))
		return (struct dh_lift_value){.node = dh_scan_string(l->program)};
	return (struct dh_lift_value){
		.node = dh_scan_global(l->program, dh_lift_symbol(l, v)),
		.pointee = dh_lift_global_type(l, v),
	};
}

static struct dh_lift_value argument(struct dh_lift *l, LLVMValueRef v)
{
	struct dh_lift_inst *known = dh_lift_inst(l, v);
	unsigned n = 0;

	if (known)
		return known->value;
	while (n < LLVMCountParams(l->function) && LLVMGetParam(l->function, n) != v)
		n++;
	return (struct dh_lift_value){
		.node = dh_scan_param(l->program, l->sret >= 0 && (int)n > l->sret ? n - 1 : n)};
}

static struct dh_lift_value value_at(struct dh_lift *l, LLVMValueRef v, unsigned depth)
{
	struct dh_lift_value ret = {0};
	struct dh_lift_inst *inst;

	if (depth > MAX_NESTING)
		return ret;
	switch (LLVMGetValueKind(v)) {
	case LLVMArgumentValueKind:
		return argument(l, v);
	case LLVMFunctionValueKind:
	case LLVMGlobalVariableValueKind:
	case LLVMGlobalAliasValueKind:
	case LLVMGlobalIFuncValueKind:
		return global(l, v);
	case LLVMConstantIntValueKind:
		if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 1)
			ret.node = dh_scan_const(l->program, (int64_t)LLVMConstIntGetZExtValue(v));
		else if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
			ret.node = dh_scan_const(l->program, LLVMConstIntGetSExtValue(v));
		return ret;
	case LLVMConstantPointerNullValueKind:
		ret.node = dh_scan_const(l->program, 0);
		return ret;
	case LLVMConstantExprValueKind:
		pure(l, v, LLVMGetConstOpcode(v), depth, &ret);
		return ret;
	case LLVMConstantStructValueKind:
		/* A pointer to a member function: the function, and what to add to the object. */
		if (LLVMGetNumOperands(v) == 2 && LLVMIsAConstantExpr(LLVMGetOperand(v, 0)))
			ret = value_at(l, LLVMGetOperand(v, 0), depth + 1);
		return ret;
	case LLVMInstructionValueKind:
		inst = dh_lift_inst(l, v);
		return inst ? inst->value : ret;
	default:
		return ret;
	}
}

struct dh_lift_value dh_lift_value(struct dh_lift *l, LLVMValueRef v)
{
	return value_at(l, v, 0);
}
