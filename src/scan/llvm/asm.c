#include <string.h>

#include "base/alloc.h"
#include "scan/llvm/lift.h"

/* LLVM before 17 has no way to the strings but the printed value:
 * asm sideeffect "lock; incl $0", "=*m,*m,~{memory}".  Quotes within are written \22. */
static const char *printed(struct dh_lift *l, LLVMValueRef text)
{
	char *s = dh_map_getp(&l->asm_texts, (uint64_t)(uintptr_t)text), *p;

	if (s)
		return s;
	p = LLVMPrintValueToString(text);
	s = dh_arena_strdup(&l->di.arena, p);
	LLVMDisposeMessage(p);
	dh_map_setp(&l->asm_texts, (uint64_t)(uintptr_t)text, s);
	return s;
}

/* The constraints: what stands between the last two quotes. */
static char *constraints_of(const char *all)
{
	const char *end = strrchr(all, '"'), *begin = end;

	while (begin && begin > all && begin[-1] != '"')
		begin--;
	return begin ? dh_strndup(begin, (size_t)(end - begin)) : dh_strdup("");
}

static bool is_locked(const char *all)
{
	return strstr(all, "lock;") || strstr(all, "lock ") || strstr(all, "xchg");
}

static struct dh_lift_value touch(
	struct dh_lift *l, LLVMValueRef operand, enum dh_scan_op op, bool atomic)
{
	struct dh_lift_value addr = dh_lift_value(l, operand), ret = {0};
	uint32_t s;

	dh_lift_descend(l, &addr, 0, 0);
	s = dh_lift_access(l, op, addr, 0, addr.pointee ? addr.pointee->size : 0,
		DH_SCAN_ASM | (atomic ? DH_SCAN_ATOMIC : 0));
	if (s != UINT32_MAX && atomic) {
		dh_scan_build_stmt(l->build, s)->order = DH_SCAN_SEQ_CST;
		ret.node = dh_scan_call(l->program, s);
	}
	return ret;
}

static bool is_among(LLVMValueRef inst, unsigned first, unsigned end, LLVMValueRef operand)
{
	while (first < end && LLVMGetOperand(inst, first) != operand)
		first++;
	return first < end;
}

/* An output in memory that is an input as well is updated, otherwise written. */
static struct dh_lift_value touch_operand(
	struct dh_lift *l, LLVMValueRef inst, unsigned arg, bool output, bool atomic)
{
	LLVMValueRef operand = LLVMGetOperand(inst, arg);
	unsigned n = LLVMGetNumArgOperands(inst);

	if (output)
		return touch(l, operand,
			is_among(inst, arg + 1, n, operand) ? DH_SCAN_UPDATE : DH_SCAN_WRITE,
			atomic);
	if (is_among(inst, 0, arg, operand))
		return (struct dh_lift_value){0};
	return touch(l, operand, DH_SCAN_READ, atomic);
}

void dh_lift_asm(struct dh_lift *l, LLVMValueRef inst, LLVMValueRef text)
{
	const char *all = printed(l, text);
	DH_FREE char *constraints = constraints_of(all);
	char *rest = constraints, *one;
	bool atomic = is_locked(all);
	unsigned arg = 0, n = LLVMGetNumArgOperands(inst);
	struct dh_lift_value result = {0}, v = {0};

	while ((one = strsep(&rest, ",")) && arg < n) {
		bool output = one[0] == '=', memory = strchr(one, '*');

		if (one[0] == '~' || (output && !memory))
			continue;
		if (memory)
			v = touch_operand(l, inst, arg, output, atomic);
		if (v.node)
			result = v;
		arg++;
	}
	dh_lift_set(l, inst, result);
}
