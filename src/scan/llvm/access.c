#include <string.h>

#include "scan/llvm/lift.h"

/* How far behind a load its last use can be; further away, it is used in this place only. */
#define MAX_DISTANCE 200
/* From a load to the question that it is for. */
#define MAX_STEPS 8

static const uint8_t orders[] = {
	[LLVMAtomicOrderingNotAtomic] = DH_SCAN_RELAXED,
	[LLVMAtomicOrderingUnordered] = DH_SCAN_RELAXED,
	[LLVMAtomicOrderingMonotonic] = DH_SCAN_RELAXED,
	[LLVMAtomicOrderingAcquire] = DH_SCAN_ACQUIRE,
	[LLVMAtomicOrderingRelease] = DH_SCAN_RELEASE,
	[LLVMAtomicOrderingAcquireRelease] = DH_SCAN_ACQ_REL,
	[LLVMAtomicOrderingSequentiallyConsistent] = DH_SCAN_SEQ_CST,
};

/* A local that only this function sees. */
static bool is_private(struct dh_lift *l, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(l->program, dh_scan_object(l->program, node));

	return n->op == DH_SCAN_FRAME &&
	       !(dh_scan_build_local_at(l->build, n->a)->flags & DH_SCAN_LOCAL_ESCAPES);
}

static bool is_vptr(struct dh_lift *l, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(l->program, node);

	return n->op == DH_SCAN_FIELD &&
	       strncmp(dh_scan_text(l->program, l->program->fields[n->b].name), "_vptr", 5) == 0;
}

/* Nothing to race on: string literals, fixed addresses, what is not known, the pointer to the
 * virtual table and what is in it. */
static bool is_boring(struct dh_lift *l, uint32_t node)
{
	const struct dh_scan_node *n = dh_scan_node(l->program, dh_scan_object(l->program, node));

	return n->op == DH_SCAN_UNKNOWN || n->op == DH_SCAN_STRING || n->op == DH_SCAN_CONST ||
	       is_vptr(l, node) || (n->op == DH_SCAN_LOAD && is_vptr(l, n->a));
}

uint32_t dh_lift_access(struct dh_lift *l, enum dh_scan_op op, struct dh_lift_value addr,
	uint32_t value, uint64_t size, uint16_t flags)
{
	uint32_t s;

	if (is_private(l, addr.node))
		return op == DH_SCAN_READ ? UINT32_MAX
					  : dh_scan_build_assign(l->build, addr.node, value);
	if (is_boring(l, addr.node))
		return UINT32_MAX;
	s = dh_scan_build_access(
		l->build, op, addr.node, value, (uint32_t)DH_MIN(size, (uint64_t)UINT32_MAX));
	dh_scan_build_stmt(l->build, s)->flags |= flags;
	return s;
}

static void set_order(struct dh_lift *l, uint32_t s, LLVMAtomicOrdering order)
{
	if (s == UINT32_MAX || order == LLVMAtomicOrderingNotAtomic)
		return;
	dh_scan_build_stmt(l->build, s)->flags |= DH_SCAN_ATOMIC;
	dh_scan_build_stmt(l->build, s)->order = orders[order];
}

static bool is_aggregate(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static bool int_operand(LLVMValueRef inst, unsigned n, uint64_t *ret)
{
	LLVMValueRef v = LLVMGetOperand(inst, n);

	if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
		return false;
	*ret = LLVMConstIntGetZExtValue(v);
	return true;
}

static LLVMValueRef only_user(LLVMValueRef v, LLVMOpcode op)
{
	LLVMUseRef u = LLVMGetFirstUse(v);

	if (!u || LLVMGetNextUse(u) || LLVMGetInstructionOpcode(LLVMGetUser(u)) != op)
		return NULL;
	return LLVMGetUser(u);
}

/* The first half of writing a bit-field: the neighbours are read, kept and written back. */
static bool keeps_neighbours(LLVMValueRef load)
{
	LLVMValueRef clear = only_user(load, LLVMAnd);
	LLVMValueRef set = clear ? only_user(clear, LLVMOr) : NULL;
	LLVMValueRef store =
		set ? LLVMGetFirstUse(set) ? LLVMGetUser(LLVMGetFirstUse(set)) : NULL : NULL;

	return store && LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == set &&
	       LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0);
}

/* Which bit of its storage a loaded bit-field begins at. */
static unsigned loaded_bit(LLVMValueRef load)
{
	LLVMUseRef u = LLVMGetFirstUse(load);
	LLVMValueRef user = u ? LLVMGetUser(u) : NULL, next;
	uint64_t left, right;

	if (!user)
		return 0;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLShr:
	case LLVMAShr:
		return int_operand(user, 1, &right) ? (unsigned)right : 0;
	case LLVMShl:
		next = only_user(user, LLVMAShr);
		if (next && int_operand(user, 1, &left) && int_operand(next, 1, &right) &&
			right >= left)
			return (unsigned)(right - left);
		return 0;
	default:
		return 0;
	}
}

static unsigned stored_bit(LLVMValueRef value)
{
	LLVMValueRef clear;
	uint64_t mask;

	if (!LLVMIsAInstruction(value) || LLVMGetInstructionOpcode(value) != LLVMOr)
		return 0;
	clear = LLVMGetOperand(value, 0);
	if (!LLVMIsAInstruction(clear) || LLVMGetInstructionOpcode(clear) != LLVMAnd ||
		!int_operand(clear, 1, &mask) || !~mask)
		return 0;
	return (unsigned)__builtin_ctzll(~mask);
}

/* The last instruction of the block that uses the value; itself when none does. */
static LLVMValueRef last_use(struct dh_lift *l, LLVMValueRef v)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(v);
	LLVMValueRef last = v;
	uint32_t order = dh_lift_inst(l, v)->order;

	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);
		struct dh_lift_inst *inst = dh_lift_inst(l, user);

		if (inst && inst->order > order && LLVMGetInstructionParent(user) == block) {
			order = inst->order;
			last = user;
		}
	}
	return last;
}

/* Whether the variable gets another value while the loaded one is still in use: p in *p++ = 0. */
static bool is_overtaken(struct dh_lift *l, LLVMValueRef load)
{
	LLVMValueRef last = last_use(l, load), from = LLVMGetOperand(load, 0);
	unsigned distance = 0;

	for (LLVMValueRef v = load; v && v != last && distance < MAX_DISTANCE;
		v = LLVMGetNextInstruction(v), distance++) {
		if (LLVMIsAStoreInst(v) && LLVMGetOperand(v, 1) == from)
			return true;
	}
	return false;
}

static uint32_t keep_value(struct dh_lift *l, struct dh_lift_value addr)
{
	uint32_t local = dh_scan_build_local(l->build, NULL, dh_lift_type(l, addr.pointee),
		DH_SCAN_LOCAL_TEMP | DH_SCAN_LOCAL_ONCE);
	uint32_t frame = dh_scan_frame(l->program, local);

	dh_scan_build_assign(l->build, frame, dh_scan_load(l->program, addr.node));
	return dh_scan_load(l->program, frame);
}

/* p[f - 1]: the place in a virtual table that a pointer to a member function stands for. */
static bool is_table_entry(LLVMValueRef v)
{
	LLVMValueRef index;
	uint64_t one;

	while (LLVMIsABitCastInst(v))
		v = LLVMGetOperand(v, 0);
	if (!LLVMIsAGetElementPtrInst(v) || LLVMGetNumOperands(v) != 2)
		return false;
	index = LLVMGetOperand(v, 1);
	return LLVMIsABinaryOperator(index) && LLVMGetInstructionOpcode(index) == LLVMSub &&
	       int_operand(index, 1, &one) && one == 1 &&
	       LLVMIsAExtractValueInst(LLVMGetOperand(index, 0));
}

/* Calls through pointers to member functions look into the virtual table, in case it is a virtual
 * one: neither the table nor the pointer to it is ever written by the program. */
static bool looks_into_table(LLVMValueRef load)
{
	LLVMValueRef user = only_user(load, LLVMGetElementPtr);

	return is_table_entry(LLVMGetOperand(load, 0)) || (user && is_table_entry(user));
}

/* Whether the value is only asked about, as in __builtin_constant_p(*p), which loads nothing. */
static bool is_only_asked(LLVMValueRef v, unsigned depth)
{
	LLVMUseRef u = LLVMGetFirstUse(v);
	bool asked = u != NULL;

	for (; u && asked; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsACallInst(user))
			asked = dh_lift_is_question(user);
		else
			asked = depth > 0 &&
				(LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) ||
					LLVMIsABinaryOperator(user) || LLVMIsACmpInst(user) ||
					(LLVMIsALoadInst(user) && !LLVMGetVolatile(user))) &&
				is_only_asked(user, depth - 1);
	}
	return asked;
}

void dh_lift_load(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMValueRef from = LLVMGetOperand(inst, 0);
	struct dh_lift_inst *alloca = LLVMIsAAllocaInst(from) ? dh_lift_inst(l, from) : NULL;
	struct dh_lift_value addr = dh_lift_value(l, from), ret = {0};
	uint64_t size = LLVMStoreSizeOfType(l->layout, LLVMTypeOf(inst));
	uint16_t flags = LLVMGetVolatile(inst) ? DH_SCAN_VOLATILE : 0;

	if (alloca && alloca->param) {
		ret.node = addr.node;
		ret.pointee = dh_lift_target(l, addr.pointee);
		dh_lift_set(l, inst, ret);
		return;
	}
	if (looks_into_table(inst) || (l->asks && !flags && is_only_asked(inst, MAX_STEPS)))
		return;
	if (addr.bits_owner) {
		if (keeps_neighbours(inst))
			return;
		dh_lift_bitfield(l, &addr, loaded_bit(inst));
		flags |= DH_SCAN_BITS;
	} else if (!is_aggregate(LLVMTypeOf(inst))) {
		dh_lift_descend(l, &addr, 0, size);
	}
	ret.pointee = dh_lift_target(l, addr.pointee);
	if (is_private(l, addr.node)) {
		ret.node = is_overtaken(l, inst) ? keep_value(l, addr)
						 : dh_scan_load(l->program, addr.node);
	} else {
		set_order(l, dh_lift_access(l, DH_SCAN_READ, addr, 0, size, flags),
			LLVMGetOrdering(inst));
		ret.node = dh_scan_load(l->program, addr.node);
	}
	dh_lift_set(l, inst, ret);
}

void dh_lift_store(struct dh_lift *l, LLVMValueRef inst)
{
	LLVMValueRef from = LLVMGetOperand(inst, 0), to = LLVMGetOperand(inst, 1);
	struct dh_lift_inst *alloca = LLVMIsAAllocaInst(to) ? dh_lift_inst(l, to) : NULL;
	struct dh_lift_value addr = dh_lift_value(l, to), value = dh_lift_value(l, from);
	uint64_t size = LLVMStoreSizeOfType(l->layout, LLVMTypeOf(from));
	uint16_t flags = LLVMGetVolatile(inst) ? DH_SCAN_VOLATILE : 0;

	if (alloca && alloca->param)
		return;
	if (addr.bits_owner) {
		dh_lift_bitfield(l, &addr, stored_bit(from));
		flags |= DH_SCAN_BITS;
		value.node = 0;
	} else if (!is_aggregate(LLVMTypeOf(from))) {
		dh_lift_descend(l, &addr, 0, size);
	}
	set_order(l, dh_lift_access(l, DH_SCAN_WRITE, addr, value.node, size, flags),
		LLVMGetOrdering(inst));
}

/* Updates give what was there before; a local that nobody sees is only assigned. */
static void update(struct dh_lift *l, LLVMValueRef inst, LLVMValueRef value,
	LLVMAtomicOrdering order, uint16_t flags)
{
	struct dh_lift_value addr = dh_lift_value(l, LLVMGetOperand(inst, 0)), ret = {0};
	uint64_t size = LLVMStoreSizeOfType(l->layout, LLVMTypeOf(value));
	uint32_t s;

	dh_lift_descend(l, &addr, 0, size);
	s = dh_lift_access(l, DH_SCAN_UPDATE, addr, dh_lift_value(l, value).node, size, flags);
	if (s == UINT32_MAX)
		return;
	set_order(l, s, order);
	ret.node = dh_scan_call(l->program, s);
	dh_lift_set(l, inst, ret);
}

void dh_lift_rmw(struct dh_lift *l, LLVMValueRef inst)
{
	update(l, inst, LLVMGetOperand(inst, 1), LLVMGetOrdering(inst),
		LLVMGetVolatile(inst) ? DH_SCAN_VOLATILE : 0);
}

void dh_lift_cmpxchg(struct dh_lift *l, LLVMValueRef inst)
{
	update(l, inst, LLVMGetOperand(inst, 2), LLVMGetCmpXchgSuccessOrdering(inst), DH_SCAN_WEAK);
}
