#include <string.h>

#include "scan/llvm/lift.h"

/* #include within a function: scopes that name another file. */
static const char *other_file(struct dh_lift *l, LLVMMetadataRef scope)
{
	uint64_t known;
	const char *file = NULL;

	if (dh_map_get(&l->scope_files, (uint64_t)(uintptr_t)scope, &known))
		return (const char *)(uintptr_t)known;
	for (LLVMMetadataRef s = scope; s && !file; s = dh_di_operand(&l->di, s, 1)) {
		LLVMMetadataKind kind = LLVMGetMetadataKind(s);

		if (kind == LLVMDILexicalBlockFileMetadataKind)
			file = dh_di_file(&l->di, LLVMDIScopeGetFile(s));
		else if (kind != LLVMDILexicalBlockMetadataKind)
			break;
	}
	dh_map_setp(&l->scope_files, (uint64_t)(uintptr_t)scope, (void *)(uintptr_t)file);
	return file;
}

void dh_lift_at(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
	unsigned line = loc ? LLVMDILocationGetLine(loc) : 0;

	if (line)
		dh_scan_build_at(l->build, line, LLVMDILocationGetColumn(loc),
			other_file(l, LLVMDILocationGetScope(loc)));
}

void dh_lift_set(struct dh_lift *l, LLVMValueRef inst, struct dh_lift_value v)
{
	dh_lift_inst(l, inst)->value = v;
}

static uint32_t block_number(struct dh_lift *l, LLVMBasicBlockRef block)
{
	uint64_t n = 0;

	dh_map_get(&l->blocks, (uint64_t)(uintptr_t)block, &n);
	return (uint32_t)n;
}

/* Values that depend on where control comes from: each predecessor assigns its own. */
static void assign_phis(struct dh_lift *l, LLVMValueRef terminator)
{
	LLVMBasicBlockRef here = LLVMGetInstructionParent(terminator);
	unsigned n = LLVMGetNumSuccessors(terminator);

	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef v = LLVMGetFirstInstruction(LLVMGetSuccessor(terminator, i));

		for (; v && LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v)) {
			struct dh_lift_inst *phi = dh_lift_inst(l, v);
			unsigned k = 0;

			while (k < LLVMCountIncoming(v) && LLVMGetIncomingBlock(v, k) != here)
				k++;
			if (k < LLVMCountIncoming(v))
				dh_scan_build_assign(l->build,
					dh_scan_frame(l->program, phi->local - 1),
					dh_lift_value(l, LLVMGetIncomingValue(v, k)).node);
		}
	}
}

static void lift_phi(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_inst *phi = dh_lift_inst(l, inst);
	struct dh_lift_value v = {0};

	/* Where all ways bring an address of the same type, it is known. */
	for (unsigned k = 0; k < LLVMCountIncoming(inst) && !v.pointee; k++)
		v.pointee = dh_lift_value(l, LLVMGetIncomingValue(inst, k)).pointee;
	v.node = dh_scan_load(l->program, dh_scan_frame(l->program, phi->local - 1));
	dh_lift_set(l, inst, v);
}

static void lift_branch(struct dh_lift *l, LLVMValueRef inst)
{
	uint32_t first = block_number(l, LLVMGetSuccessor(inst, 0));

	assign_phis(l, inst);
	if (!LLVMIsConditional(inst))
		dh_scan_build_jump(l->build, first);
	else
		dh_scan_build_branch(l->build, dh_lift_value(l, LLVMGetCondition(inst)).node, first,
			block_number(l, LLVMGetSuccessor(inst, 1)));
}

static void lift_switch(struct dh_lift *l, LLVMValueRef inst)
{
	unsigned n = LLVMGetNumSuccessors(inst);

	assign_phis(l, inst);
	dh_scan_build_switch(l->build, dh_lift_value(l, LLVMGetOperand(inst, 0)).node);
	dh_scan_build_edge(
		l->build, DH_SCAN_EDGE_DEFAULT, block_number(l, LLVMGetSwitchDefaultDest(inst)), 0);
	for (unsigned i = 1; i < n; i++) {
#if DH_LLVM_VERSION >= 22
		LLVMValueRef value = LLVMGetSwitchCaseValue(inst, i);
#else
		LLVMValueRef value = LLVMGetOperand(inst, 2 * i);
#endif
		dh_scan_build_edge(l->build, DH_SCAN_EDGE_CASE,
			block_number(l, LLVMGetSuccessor(inst, i)), dh_lift_value(l, value).node);
	}
}

static void lift_return(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_value v = {0};

	if (LLVMGetNumOperands(inst) > 0)
		v = dh_lift_value(l, LLVMGetOperand(inst, 0));
	else if (l->sret >= 0)
		v.node = dh_scan_load(l->program,
			dh_lift_value(l, LLVMGetParam(l->function, (unsigned)l->sret)).node);
	dh_scan_build_return(l->build, v.node);
}

static void lift_invoke(struct dh_lift *l, LLVMValueRef inst)
{
	dh_lift_call(l, inst);
	assign_phis(l, inst);
	dh_scan_build_jump(l->build, block_number(l, LLVMGetNormalDest(inst)));
	dh_scan_build_edge(
		l->build, DH_SCAN_EDGE_UNWIND, block_number(l, LLVMGetUnwindDest(inst)), 0);
}

/* asm goto and computed gotos: to any of them. */
static void lift_jumps(struct dh_lift *l, LLVMValueRef inst)
{
	unsigned n = LLVMGetNumSuccessors(inst);

	if (LLVMGetInstructionOpcode(inst) == LLVMCallBr)
		dh_lift_call(l, inst);
	assign_phis(l, inst);
	for (unsigned i = 0; i < n; i++)
		dh_scan_build_jump(l->build, block_number(l, LLVMGetSuccessor(inst, i)));
}

/* Part of what another instruction gave: of a compare-exchange whether it succeeded, of a pointer
 * to a member function the function. */
static void lift_extract(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMValueRef from = LLVMGetOperand(inst, 0);
	unsigned part = LLVMGetNumIndices(inst) == 1 ? LLVMGetIndices(inst)[0] : 2;
	bool exchange = LLVMIsAAtomicCmpXchgInst(from), load = LLVMIsALoadInst(from);

	if (part == (exchange ? 1 : 0) && (exchange || load || LLVMIsACallInst(from)))
		dh_lift_set(l, inst, dh_lift_value(l, from));
	/* What is added to the object is 0 unless it has several bases. */
	else if (part == 1 && load)
		dh_lift_set(l, inst, (struct dh_lift_value){.node = dh_scan_const(l->program, 0)});
}

/* c ? a : b without a jump: the two ways are made, since what was chosen goes with why. */
static void lift_select(struct dh_lift *l, LLVMValueRef inst)
{
	struct dh_lift_value a = dh_lift_value(l, LLVMGetOperand(inst, 1));
	struct dh_lift_value b = dh_lift_value(l, LLVMGetOperand(inst, 2));
	uint32_t condition = dh_lift_value(l, LLVMGetOperand(inst, 0)).node;
	uint32_t local = dh_scan_build_local(l->build, NULL, 0, DH_SCAN_LOCAL_TEMP);
	uint32_t frame = dh_scan_frame(l->program, local);
	uint32_t yes = dh_scan_build_block(l->build), no = dh_scan_build_block(l->build);
	uint32_t join = dh_scan_build_block(l->build);

	dh_scan_build_branch(l->build, condition, yes, no);
	dh_scan_build_select(l->build, yes);
	dh_scan_build_assign(l->build, frame, a.node);
	dh_scan_build_jump(l->build, join);
	dh_scan_build_select(l->build, no);
	dh_scan_build_assign(l->build, frame, b.node);
	dh_scan_build_jump(l->build, join);
	dh_scan_build_select(l->build, join);
	dh_lift_set(l, inst,
		(struct dh_lift_value){.node = dh_scan_load(l->program, frame),
			.pointee = a.pointee ? a.pointee : b.pointee});
}

static void lift_fence(struct dh_lift *l, LLVMValueRef inst)
{
	uint32_t symbol = dh_scan_function_symbol(l->program, "atomic_thread_fence");

	dh_scan_build_call(l->build, dh_scan_global(l->program, symbol), NULL, 0);
}

/* An exception leaves the function, as by a call of what does that in the end. */
static void lift_resume(struct dh_lift *l, LLVMValueRef inst)
{
	uint32_t symbol = dh_scan_function_symbol(l->program, "_Unwind_Resume");

	dh_scan_build_call(l->build, dh_scan_global(l->program, symbol), NULL, 0);
}

static void lift_nothing(struct dh_lift *l, LLVMValueRef inst)
{
}

static const struct {
	LLVMOpcode op;
	void (*lift)(struct dh_lift *l, LLVMValueRef inst);
} handlers[] = {
	{LLVMLoad, dh_lift_load},
	{LLVMStore, dh_lift_store},
	{LLVMCall, dh_lift_call},
	{LLVMBr, lift_branch},
	{LLVMRet, lift_return},
	{LLVMPHI, lift_phi},
	{LLVMSwitch, lift_switch},
	{LLVMInvoke, lift_invoke},
	{LLVMCallBr, lift_jumps},
	{LLVMIndirectBr, lift_jumps},
	{LLVMAtomicRMW, dh_lift_rmw},
	{LLVMAtomicCmpXchg, dh_lift_cmpxchg},
	{LLVMExtractValue, lift_extract},
	{LLVMSelect, lift_select},
	{LLVMFence, lift_fence},
	{LLVMResume, lift_resume},
	{LLVMAlloca, lift_nothing},
};

static void lift_instruction(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(inst);
	struct dh_lift_value v;

	for (size_t i = 0; i < DH_ARRAY_SIZE(handlers); i++) {
		if (handlers[i].op == op) {
			dh_lift_at(l, inst);
			handlers[i].lift(l, inst);
			return;
		}
	}
	if (dh_lift_pure(l, inst, op, &v))
		dh_lift_set(l, inst, v);
}

static void number_blocks(struct dh_lift *l)
{
	uint32_t n = 0;

	dh_map_clear(&l->blocks);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->function); b;
		b = LLVMGetNextBasicBlock(b)) {
		if (n)
			dh_scan_build_block(l->build);
		dh_map_set(&l->blocks, (uint64_t)(uintptr_t)b, n++);
	}
}

static void describe(struct dh_lift *l, LLVMMetadataRef sp)
{
	struct dh_scan_function *f = dh_scan_build_function(l->build);
	struct dh_di_type *result[1];
	LLVMMetadataRef type = sp ? dh_di_operand(&l->di, sp, 4) : NULL;
	LLVMLinkage linkage = LLVMGetLinkage(l->function);

	f->unit = l->unit;
	if (!sp || !f->line)
		f->flags |= DH_SCAN_FN_ARTIFICIAL;
	if (strcmp(dh_scan_text(l->program, f->file), l->main_file) != 0 ||
		linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage ||
		linkage == LLVMAvailableExternallyLinkage)
		f->flags |= DH_SCAN_FN_SHARED;
	if (type && dh_di_signature(&l->di, type, result, 1) == 1)
		f->result = dh_lift_type(l, result[0]);
}

static int result_argument(struct dh_lift *l)
{
	unsigned n = LLVMCountParams(l->function);

	for (unsigned i = 0; i < n && i < 2; i++) {
		if (LLVMGetEnumAttributeAtIndex(l->function, i + 1, l->attr_sret))
			return (int)i;
	}
	return -1;
}

void dh_lift_function(struct dh_lift *l, LLVMValueRef f)
{
	uint32_t symbol = dh_lift_symbol(l, f), n = 0;
	const struct dh_scan_symbol *s = &l->program->symbols[symbol];
	LLVMMetadataRef sp = LLVMGetSubprogram(f);
	const char *file = s->file ? dh_scan_text(l->program, s->file) : l->main_file;

	l->function = f;
	l->sret = result_argument(l);
	l->build = dh_scan_build_new(l->program, symbol, file, s->line);
	describe(l, sp);
	number_blocks(l);
	dh_lift_prepare(l);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		dh_scan_build_select(l->build, n++);
		for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v))
			lift_instruction(l, v);
	}
	dh_scan_build_end(l->build);
	l->build = NULL;
}
