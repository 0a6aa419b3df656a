#include "isa/window.h"

#include <errno.h>
#include <string.h>

#include "isa/insn.h"
#include "isa/relocate.h"

/* Short branches reach 128 bytes.  Decoding from a wrong offset falls into step with the real
 * instructions after a few of them: a lead of so many bytes, begun at each of so many offsets,
 * finds them all. */
#define SHORT_REACH  (128 + DH_INSN_MAX_LENGTH)
#define SYNC_LEAD    256
#define SYNC_OFFSETS 16

static bool is_movable(const struct dh_window_code *code, size_t at, uint64_t pc)
{
	uint8_t scratch[DH_RELOCATE_MAX];

	/* Moving it nowhere asks only whether it can be moved. */
	return dh_relocate(code->bytes + at, code->n - at, pc, pc, scratch, sizeof(scratch)) >= 0;
}

static bool never_falls_through(const struct dh_insn *insn)
{
	return (insn->flags & DH_INSN_BRANCH) &&
	       !(insn->flags & (DH_INSN_CONDITIONAL | DH_INSN_CALL));
}

/* Only fillers up to the end of the patch, and none that begins an aligned block, where somebody
 * else's code may start with something that looks like a filler. */
static bool is_padding(const struct dh_window_code *code, size_t at, size_t end)
{
	while (at < end) {
		uint64_t pc = code->start + at;
		struct dh_insn insn;

		if (dh_insn_decode(code->bytes + at, code->n - at, pc, &insn) < 0)
			return false;
		if (!(insn.flags & (DH_INSN_NOP | DH_INSN_TRAP)) || pc % 16 == 0 ||
			pc % 16 + insn.length > 16)
			return false;
		at += insn.length;
	}
	return true;
}

static void take(struct dh_window *w, const struct dh_insn *insn)
{
	w->insn_length[w->n++] = insn->length;
	w->length += insn->length;
	w->ends = never_falls_through(insn);
	w->x87 |= (insn->flags & DH_INSN_X87) != 0;
}

/* Collects the instructions that the jump would cover. */
static int displace(const struct dh_window_code *code, size_t at, struct dh_window *w)
{
	while (w->length < DH_ISA_JUMP_SIZE) {
		uint64_t pc = w->pc + w->length;
		struct dh_insn insn;
		int r = dh_insn_decode(
			code->bytes + at + w->length, code->n - at - w->length, pc, &insn);

		if (r < 0)
			return r;
		if (!is_movable(code, at + w->length, pc))
			return -ENOTSUP;
		take(w, &insn);
		if (w->length >= DH_ISA_JUMP_SIZE)
			break;
		if (insn.flags & DH_INSN_CALL)
			return -EBUSY; /* comes back into the middle */
		if (w->ends)
			return is_padding(code, at + w->length, at + DH_ISA_JUMP_SIZE) ? 0 : -EBUSY;
	}
	return 0;
}

/* The bytes that a patch of `length` at pc covers. */
struct patch {
	uint64_t pc;
	size_t length;
};

static bool is_inside(uint64_t target, struct patch p)
{
	return target - p.pc - 1 < p.length - 1;
}

/* Branches with a distance of 32 bits, from all of the code.  No decoding: bytes that are no
 * branch hit one of four addresses once in a thousand million times. */
static bool long_branch_enters(const struct dh_window_code *code, struct patch p)
{
	for (size_t i = 1; i + 4 <= code->n; i++) {
		int32_t distance;
		uint8_t opcode = code->bytes[i - 1];

		memcpy(&distance, code->bytes + i, sizeof(distance));
		if (!is_inside(code->start + i + 4 + (uint64_t)(int64_t)distance, p))
			continue;
		if (opcode == 0xe8 || opcode == 0xe9 ||
			(i > 1 && (opcode & 0xf0) == 0x80 && code->bytes[i - 2] == 0x0f))
			return true;
	}
	return false;
}

/* Follows the instructions from one offset until it meets ones that were seen before. */
static bool sweep(const struct dh_window_code *code, size_t at, struct patch p, uint8_t *seen)
{
	struct dh_insn insn;

	while (at < code->n && !seen[at]) {
		seen[at] = 1;
		if (dh_insn_decode(code->bytes + at, code->n - at, code->start + at, &insn) < 0)
			return false;
		if ((insn.flags & DH_INSN_BRANCH) && !(insn.flags & DH_INSN_INDIRECT) &&
			is_inside(insn.target, p))
			return true;
		at += insn.length;
	}
	return false;
}

/* Short branches, by decoding the neighbourhood: among any bytes their opcodes are too frequent. */
static bool short_branch_enters(const struct dh_window_code *code, struct patch p)
{
	uint8_t seen[2 * SHORT_REACH + SYNC_LEAD] = {0};
	uint64_t at = p.pc - code->start, lead = SHORT_REACH + SYNC_LEAD;
	uint64_t skip = at < lead ? 0 : at - lead;
	struct dh_window_code part = {.bytes = code->bytes + skip, .start = code->start + skip};
	uint64_t function = code->function - part.start;

	part.n = DH_MIN(code->n - skip, sizeof(seen));
	if (sweep(&part, at - skip, p, seen) ||
		(function < part.n && sweep(&part, function, p, seen)))
		return true;
	for (size_t i = 0; i < SYNC_OFFSETS; i++) {
		if (sweep(&part, i, p, seen))
			return true;
	}
	return false;
}

bool dh_window_is_entered(const struct dh_window_code *code, uint64_t pc, size_t length)
{
	struct patch p = {pc, length};

	return pc < code->start || pc - code->start >= code->n || short_branch_enters(code, p) ||
	       long_branch_enters(code, p);
}

int dh_window_choose(const struct dh_window_code *code, uint64_t pc, struct dh_window *ret)
{
	struct dh_window w = {.pc = pc};
	uint64_t at = pc - code->start;
	int r;

	if (at >= code->n || code->n - at < DH_ISA_JUMP_SIZE)
		return -ENODATA;
	r = displace(code, at, &w);
	if (r < 0)
		return r;
	/* Inside one instruction no other begins, but behind a lock prefix, which some code skips.
	 */
	if ((w.n > 1 || w.length < DH_ISA_JUMP_SIZE || code->bytes[at] == 0xf0) &&
		dh_window_is_entered(code, pc, DH_ISA_JUMP_SIZE))
		return -EBUSY;
	w.original = (uint8_t)DH_MAX(w.length, DH_ISA_JUMP_SIZE);
	memcpy(w.bytes, code->bytes + at, w.original);
	*ret = w;
	return 0;
}
