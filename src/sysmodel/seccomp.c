#include "sysmodel/seccomp.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>

#define CELLS BPF_MEMWORDS

struct machine {
	const struct seccomp_data *data;
	uint32_t a, x, cell[CELLS];
};

static bool valid_at(const struct sock_filter *i, size_t left)
{
	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			return i->k < sizeof(struct seccomp_data) && i->k % 4 == 0;
		case BPF_LD | BPF_MEM:
			return i->k < CELLS;
		default:
			return i->code == (BPF_LD | BPF_IMM) ||
			       i->code == (BPF_LD | BPF_W | BPF_LEN);
		}
	case BPF_LDX:
		return i->code == (BPF_LDX | BPF_IMM) || i->code == (BPF_LDX | BPF_W | BPF_LEN) ||
		       (i->code == (BPF_LDX | BPF_MEM) && i->k < CELLS);
	case BPF_ST:
	case BPF_STX:
		return i->k < CELLS;
	case BPF_JMP:
		return BPF_OP(i->code) == BPF_JA ? i->k < left : i->jt < left && i->jf < left;
	case BPF_ALU:
		return BPF_SRC(i->code) == BPF_X || i->k ||
		       (BPF_OP(i->code) != BPF_DIV && BPF_OP(i->code) != BPF_MOD);
	default:
		return true;
	}
}

bool dh_seccomp_valid(const struct sock_filter *code, size_t n)
{
	if (n == 0 || n > DH_SECCOMP_MAX || BPF_CLASS(code[n - 1].code) != BPF_RET)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!valid_at(&code[i], n - 1 - i))
			return false;
	}
	return true;
}

static uint32_t compute(uint16_t op, uint32_t a, uint32_t b)
{
	switch (op) {
	case BPF_ADD:
		return a + b;
	case BPF_SUB:
		return a - b;
	case BPF_MUL:
		return a * b;
	case BPF_DIV:
		return b ? a / b : 0;
	case BPF_MOD:
		return b ? a % b : a;
	case BPF_OR:
		return a | b;
	case BPF_AND:
		return a & b;
	case BPF_XOR:
		return a ^ b;
	case BPF_LSH:
		return b < 32 ? a << b : 0;
	case BPF_RSH:
		return b < 32 ? a >> b : 0;
	default: /* BPF_NEG */
		return -a;
	}
}

static size_t jump(const struct machine *m, const struct sock_filter *i)
{
	uint32_t b = BPF_SRC(i->code) == BPF_X ? m->x : i->k;
	bool yes;

	switch (BPF_OP(i->code)) {
	case BPF_JA:
		return i->k;
	case BPF_JEQ:
		yes = m->a == b;
		break;
	case BPF_JGT:
		yes = m->a > b;
		break;
	case BPF_JGE:
		yes = m->a >= b;
		break;
	default: /* BPF_JSET */
		yes = m->a & b;
		break;
	}
	return yes ? i->jt : i->jf;
}

static uint32_t load(const struct machine *m, const struct sock_filter *i)
{
	uint32_t v;

	switch (BPF_MODE(i->code)) {
	case BPF_IMM:
		return i->k;
	case BPF_MEM:
		return m->cell[i->k];
	case BPF_ABS:
		memcpy(&v, (const char *)m->data + i->k, sizeof(v));
		return v;
	default: /* BPF_LEN */
		return sizeof(struct seccomp_data);
	}
}

uint32_t dh_seccomp_run(const struct sock_filter *code, size_t n, const struct seccomp_data *data)
{
	struct machine m = {.data = data};

	for (size_t at = 0; at < n; at++) {
		const struct sock_filter *i = &code[at];

		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
			m.a = load(&m, i);
			break;
		case BPF_LDX:
			m.x = load(&m, i);
			break;
		case BPF_ST:
			m.cell[i->k] = m.a;
			break;
		case BPF_STX:
			m.cell[i->k] = m.x;
			break;
		case BPF_ALU:
			m.a = compute(BPF_OP(i->code), m.a, BPF_SRC(i->code) == BPF_X ? m.x : i->k);
			break;
		case BPF_JMP:
			at += jump(&m, i);
			break;
		case BPF_MISC:
			if (BPF_MISCOP(i->code) == BPF_TAX)
				m.x = m.a;
			else
				m.a = m.x;
			break;
		default: /* BPF_RET */
			return BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
		}
	}
	return SECCOMP_RET_KILL_PROCESS;
}

uint32_t dh_seccomp_stricter(uint32_t a, uint32_t b)
{
	/* As signed numbers: killing the process is below killing the thread. */
	return (int32_t)(a & SECCOMP_RET_ACTION_FULL) <= (int32_t)(b & SECCOMP_RET_ACTION_FULL) ? a
												: b;
}
