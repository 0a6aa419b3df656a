#include <string.h>

#include "base/alloc.h"
#include "scan/llvm/lift.h"

/* Casts of casts of addresses of members. */
#define MAX_NESTING 32

static bool is_intrinsic(LLVMValueRef call, const char *prefix)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t n;
	const char *name = callee ? LLVMGetValueName2(callee, &n) : NULL;

	return name && strncmp(name, prefix, strlen(prefix)) == 0;
}

/* What a use does with the address of a local. */
static void note_use(struct dh_lift *l, struct dh_lift_inst *local, LLVMValueRef pointer,
	bool whole, unsigned depth);

static void note_user(struct dh_lift *l, struct dh_lift_inst *local, LLVMValueRef user,
	LLVMValueRef pointer, bool whole, unsigned depth)
{
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		break;
	case LLVMStore:
		if (LLVMGetOperand(user, 0) == pointer)
			local->escapes = true;
		else if (whole)
			local->stores++;
		else
			local->partial = true;
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		local->partial = true;
		break;
	case LLVMGetElementPtr:
		note_use(l, local, user, false, depth + 1);
		break;
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		note_use(l, local, user, whole, depth + 1);
		break;
	case LLVMCall:
		if (is_intrinsic(user, "llvm.dbg.") || is_intrinsic(user, "llvm.lifetime."))
			break;
		if (is_intrinsic(user, "llvm.mem"))
			local->partial = true;
		else
			local->escapes = true;
		break;
	default:
		local->escapes = true;
	}
}

static void note_use(struct dh_lift *l, struct dh_lift_inst *local, LLVMValueRef pointer,
	bool whole, unsigned depth)
{
	if (depth > MAX_NESTING) {
		local->escapes = true;
		return;
	}
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u && !local->escapes; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAInstruction(user))
			note_user(l, local, user, pointer, whole, depth);
		else
			local->escapes = true;
	}
}

/* The parameter that the alloca holds from entry to exit: clang copies each one to memory. */
static uint32_t held_parameter(struct dh_lift *l, struct dh_lift_inst *local, LLVMValueRef alloca)
{
	LLVMValueRef from = alloca;

	if (local->escapes || local->partial || local->stores != 1)
		return 0;
	for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAStoreInst(user))
			from = LLVMGetOperand(user, 0);
		else if (!LLVMIsALoadInst(user))
			return 0;
	}
	if (!LLVMIsAArgument(from) || dh_lift_inst(l, from))
		return 0;
	local->value = dh_lift_value(l, from);
	return 1 + dh_scan_node(l->program, local->value.node)->a;
}

static struct dh_lift_inst *add_inst(struct dh_lift *l, LLVMValueRef v)
{
	DH_GROW(l->insts, l->n_insts, l->cap_insts);
	dh_map_set(&l->index, (uint64_t)(uintptr_t)v, l->n_insts);
	l->insts[l->n_insts] = (struct dh_lift_inst){.order = (uint32_t)l->n_insts};
	return &l->insts[l->n_insts++];
}

/* A variable that a parameter is copied to has the parameter's name. */
static void name_parameter(
	struct dh_lift *l, LLVMValueRef alloca, const struct dh_scan_local *local)
{
	struct dh_scan_function *f = dh_scan_build_function(l->build);

	for (LLVMUseRef u = LLVMGetFirstUse(alloca); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u), from;
		const struct dh_scan_node *n;

		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != alloca)
			continue;
		from = LLVMGetOperand(user, 0);
		if (!LLVMIsAArgument(from) || dh_lift_inst(l, from))
			continue;
		n = dh_scan_node(l->program, dh_lift_value(l, from).node);
		if (n->op == DH_SCAN_PARAM && n->a < f->n_params) {
			f->params[n->a].name = local->name;
			f->params[n->a].type = local->type;
		}
	}
}

/* llvm.dbg.declare: the address and the variable that is there. */
static void note_declare(struct dh_lift *l, LLVMValueRef address, LLVMMetadataRef variable)
{
	struct dh_lift_inst *inst = address ? dh_lift_inst(l, address) : NULL;
	struct dh_scan_local *local;
	struct dh_di_type *type;
	const char *name;

	if (!inst || !inst->local)
		return;
	type = dh_di_variable_type(&l->di, variable);
	name = dh_di_string(&l->di, variable, 1);
	local = dh_scan_build_local_at(l->build, inst->local - 1);
	local->type = dh_lift_type(l, type);
	local->name = dh_scan_str(l->program, name);
	if (name)
		local->flags &= ~(uint32_t)DH_SCAN_LOCAL_TEMP;
	inst->value.pointee = type;
	if (LLVMIsAAllocaInst(address))
		name_parameter(l, address, local);
}

static void declare_call(struct dh_lift *l, LLVMValueRef call)
{
	LLVMValueRef where = LLVMGetOperand(call, 0), address = NULL;

	if (LLVMGetMDNodeNumOperands(where) == 1)
		LLVMGetMDNodeOperands(where, &address);
	note_declare(l, address, LLVMValueAsMetadata(LLVMGetOperand(call, 1)));
}

static void add_local(struct dh_lift *l, LLVMValueRef v, struct dh_lift_inst *inst)
{
	uint32_t flags = DH_SCAN_LOCAL_TEMP;

	if (LLVMIsAAllocaInst(v) || LLVMIsAArgument(v))
		note_use(l, inst, v, true, 0);
	if (inst->escapes)
		flags |= DH_SCAN_LOCAL_ESCAPES;
	else if (inst->stores == 1 && !inst->partial)
		flags |= DH_SCAN_LOCAL_ONCE;
	inst->local = 1 + dh_scan_build_local(l->build, NULL, 0, flags);
	inst->value.node = dh_scan_frame(l->program, inst->local - 1);
}

/* Arguments that are objects of the caller's making: private copies, and the place of the result.
 */
static void add_arguments(struct dh_lift *l)
{
	unsigned n = LLVMCountParams(l->function);

	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef arg = LLVMGetParam(l->function, i);
		bool copy = LLVMGetEnumAttributeAtIndex(l->function, i + 1, l->attr_byval);

		if ((int)i != l->sret)
			dh_scan_build_param(l->build, NULL, 0);
		if (copy || (int)i == l->sret)
			add_local(l, arg, add_inst(l, arg));
	}
}

static void add_instructions(struct dh_lift *l, LLVMBasicBlockRef block)
{
	for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
		struct dh_lift_inst *inst = add_inst(l, v);

		if (LLVMIsAAllocaInst(v)) {
			add_local(l, v, inst);
			inst->param = held_parameter(l, inst, v);
		} else if (LLVMIsAPHINode(v)) {
			add_local(l, v, inst);
		}
	}
}

#if DH_LLVM_VERSION >= 21
static void declare_records(struct dh_lift *l, LLVMValueRef v)
{
	for (LLVMDbgRecordRef r = LLVMGetFirstDbgRecord(v); r; r = LLVMGetNextDbgRecord(r)) {
		if (LLVMDbgRecordGetKind(r) == LLVMDbgRecordDeclare)
			note_declare(l, LLVMDbgVariableRecordGetValue(r, 0),
				LLVMDbgVariableRecordGetVariable(r));
	}
}
#endif

static void declare(struct dh_lift *l, LLVMBasicBlockRef block)
{
	for (LLVMValueRef v = LLVMGetFirstInstruction(block); v; v = LLVMGetNextInstruction(v)) {
#if DH_LLVM_VERSION >= 21
		declare_records(l, v);
#endif
		if (LLVMIsACallInst(v) && is_intrinsic(v, "llvm.dbg.declare"))
			declare_call(l, v);
	}
}

void dh_lift_prepare(struct dh_lift *l)
{
	LLVMBasicBlockRef block;

	l->n_insts = 0;
	dh_map_clear(&l->index);
	add_arguments(l);
	for (block = LLVMGetFirstBasicBlock(l->function); block;
		block = LLVMGetNextBasicBlock(block))
		add_instructions(l, block);
	for (block = LLVMGetFirstBasicBlock(l->function); block;
		block = LLVMGetNextBasicBlock(block))
		declare(l, block);
}
