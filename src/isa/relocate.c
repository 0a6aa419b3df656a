#include "isa/relocate.h"

#include <assert.h>
#include <errno.h>

#include "isa/emit.h"
#include "isa/insn.h"
#include "isa/x86.h"

#define USER_END (UINT64_C(1) << 47)

static const uint32_t not_movable = DH_INSN_UNKNOWN | DH_INSN_SYSCALL | DH_INSN_SYSCALL32 |
				    DH_INSN_CLOCK | DH_INSN_RANDOM | DH_INSN_CPUID |
				    DH_INSN_MACHINE | DH_INSN_FAR | DH_INSN_TRAP | DH_INSN_INVALID |
				    DH_INSN_PRIVILEGED | DH_INSN_TRANSACTION | DH_INSN_SETS_TRAP;

struct move {
	const uint8_t *bytes;
	struct dh_insn insn;
	struct dh_x86_insn x;
	struct dh_emit out;
};

static bool has_prefix(const struct move *m, uint8_t value)
{
	for (int i = 0; i < m->x.i.raw.prefix_count; i++) {
		if (m->x.i.raw.prefixes[i].value == value)
			return true;
	}
	return false;
}

/* The operand that is relative to the instruction's own address, or NULL. */
static const ZydisDecodedOperand *relative_operand(const struct move *m)
{
	for (int k = 0; k < m->x.i.operand_count; k++) {
		const ZydisDecodedOperand *op = &m->x.op[k];

		if (op->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			(op->mem.base == ZYDIS_REGISTER_RIP || op->mem.base == ZYDIS_REGISTER_EIP))
			return op;
	}
	return NULL;
}

/* Everything that is not a direct branch or a call: the bytes, with the distance to relative data
 * made new.  The byte after the opcode may be replaced (0 keeps it). */
static int copy(struct move *m, uint8_t modrm)
{
	const ZydisDecodedOperand *op = relative_operand(m);
	size_t at = m->x.i.raw.disp.offset, modrm_at = m->x.i.raw.modrm.offset;
	size_t length = m->x.i.length, end = op ? at : length;

	if (op && (op->mem.base == ZYDIS_REGISTER_EIP || m->x.i.raw.disp.size != 32))
		return -ENOTSUP;
	if (modrm) {
		dh_emit_bytes(&m->out, m->bytes, modrm_at);
		dh_emit_u8(&m->out, modrm);
		modrm_at++;
	} else {
		modrm_at = 0;
	}
	dh_emit_bytes(&m->out, m->bytes + modrm_at, end - modrm_at);
	if (op) {
		uint64_t data = m->insn.pc + length + (uint64_t)op->mem.disp.value;

		dh_emit_distance(&m->out, data, length - at - 4);
		dh_emit_bytes(&m->out, m->bytes + at + 4, length - at - 4);
	}
	return 0;
}

/* Pushes a word that lies `distance` bytes behind this instruction: one store, no register and
 * no flag changed. */
static void push_behind(struct move *m, uint32_t distance)
{
	dh_emit_code(&m->out, "\xff\x35"); /* push [rip+distance] */
	dh_emit_u32(&m->out, distance);
}

static int direct_call(struct move *m)
{
	bool near = dh_emit_reaches(dh_emit_here(&m->out) + 6 + DH_EMIT_JUMP_NEAR, m->insn.target);

	push_behind(m, near ? DH_EMIT_JUMP_NEAR : DH_EMIT_JUMP_ABSOLUTE);
	dh_emit_jump(&m->out, m->insn.target);
	dh_emit_u64(&m->out, m->insn.pc + m->insn.length);
	return 0;
}

/* The instruction itself becomes the jump: opcode ff /2 is the call, ff /4 the jump. */
static int indirect_call(struct move *m)
{
	const ZydisDecodedOperand *op = &m->x.op[0];
	uint8_t modrm = m->bytes[m->x.i.raw.modrm.offset];
	int r;

	/* The jump would use the stack pointer, or memory on the stack, after the push. */
	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER && op->reg.value == ZYDIS_REGISTER_RSP)
		return -ENOTSUP;
	if (op->type != ZYDIS_OPERAND_TYPE_REGISTER && !relative_operand(m))
		return -ENOTSUP;
	push_behind(m, m->x.i.length);
	r = copy(m, (uint8_t)((modrm & ~0x38u) | 4u << 3));
	if (r < 0)
		return r;
	dh_emit_u64(&m->out, m->insn.pc + m->insn.length);
	return 0;
}

/* Conditional jumps whose condition is in the flags. */
static int flag_jump(struct move *m)
{
	uint8_t condition = m->x.i.opcode & 0xf;

	if (dh_emit_reaches(dh_emit_here(&m->out) + 6, m->insn.target)) {
		dh_emit_u8(&m->out, 0x0f);
		dh_emit_u8(&m->out, 0x80 | condition);
		dh_emit_distance(&m->out, m->insn.target, 0);
		return 0;
	}
	dh_emit_u8(&m->out, 0x70 | (condition ^ 1));
	dh_emit_u8(&m->out, DH_EMIT_JUMP_ABSOLUTE);
	dh_emit_jump(&m->out, m->insn.target);
	return 0;
}

/* Conditional jumps on the count register exist only in the short form: hop around a jump.
 * Prefixes stay: one selects the width of the count, and the repeat prefixes, which ought to be
 * ignored, turn one condition into the other on some processors. */
static int count_jump(struct move *m)
{
	dh_emit_bytes(&m->out, m->bytes, m->x.i.length - 1u);
	dh_emit_u8(&m->out, 2);
	dh_emit_u8(&m->out, 0xeb);
	dh_emit_u8(&m->out,
		dh_emit_reaches(dh_emit_here(&m->out) + 1 + DH_EMIT_JUMP_NEAR, m->insn.target)
			? DH_EMIT_JUMP_NEAR
			: DH_EMIT_JUMP_ABSOLUTE);
	dh_emit_jump(&m->out, m->insn.target);
	return 0;
}

static int direct_branch(struct move *m)
{
	if (m->insn.flags & DH_INSN_CALL)
		return direct_call(m);
	if (!(m->insn.flags & DH_INSN_CONDITIONAL)) {
		dh_emit_jump(&m->out, m->insn.target);
		return 0;
	}
	return m->x.i.opcode >= 0xe0 && m->x.i.opcode <= 0xe3 ? count_jump(m) : flag_jump(m);
}

static int move(struct move *m)
{
	bool branch = m->insn.flags & DH_INSN_BRANCH;

	if (m->insn.flags & not_movable)
		return -ENOTSUP;
	/* Vendors disagree on what the prefix does to branches. */
	if (branch && has_prefix(m, 0x66))
		return -ENOTSUP;
	if (!branch || (m->insn.flags & DH_INSN_RETURN))
		return copy(m, 0);
	if (!(m->insn.flags & DH_INSN_INDIRECT))
		return direct_branch(m);
	return m->insn.flags & DH_INSN_CALL ? indirect_call(m) : copy(m, 0);
}

int dh_relocate(
	const uint8_t *bytes, size_t n, uint64_t from, uint64_t to, uint8_t *out, size_t size)
{
	struct move m = {.bytes = bytes, .out = {.out = out, .size = size, .at = to}};
	int r = dh_insn_decode(bytes, n, from, &m.insn);

	if (r < 0)
		return r;
	if ((m.insn.flags & DH_INSN_UNKNOWN) || dh_x86_decode(bytes, n, &m.x) < 0)
		return -ENOTSUP;
	r = move(&m);
	if (r == 0)
		r = m.out.error;
	return r < 0 ? r : (int)m.out.n;
}

int dh_isa_jump(uint64_t from, uint64_t to, uint8_t ret[DH_ISA_JUMP_SIZE])
{
	struct dh_emit e = {.out = ret, .size = DH_ISA_JUMP_SIZE, .at = from};

	if (!dh_emit_reaches(from + DH_ISA_JUMP_SIZE, to))
		return -ERANGE;
	dh_emit_jump(&e, to);
	return 0;
}

void dh_isa_jump_absolute(uint64_t to, uint8_t ret[DH_ISA_JUMP_ABSOLUTE_SIZE])
{
	/* From the other half of the address space every place here is out of reach. */
	struct dh_emit e = {
		.out = ret, .size = DH_ISA_JUMP_ABSOLUTE_SIZE, .at = to ^ UINT64_C(1) << 63};

	dh_emit_jump(&e, to);
	assert(!e.error && e.n == DH_ISA_JUMP_ABSOLUTE_SIZE);
}

uint64_t dh_isa_trapping_target(uint64_t from, unsigned i)
{
	/* The breakpoint, and opcodes that 64-bit mode took away. */
	static const uint8_t high[] = {0xea, 0xd4, 0xce, 0xcc, 0x9a, 0x82, 0x06, 0x07, 0x0e, 0x16,
		0x1e, 0x27, 0x2f, 0x37, 0x3f, 0x60};
	uint32_t distance;
	int64_t to;

	if (i >= DH_ISA_TRAPPING_TARGETS)
		return 0;
	distance = (uint32_t)high[i % 16] << 24 | (uint32_t)high[i / 16] << 16 | 0xcccc;
	to = (int64_t)from + DH_ISA_JUMP_SIZE + (int32_t)distance;
	return to >= 65536 && to < (int64_t)USER_END - 65536 ? (uint64_t)to : 0;
}
