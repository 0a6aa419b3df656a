#include "proc/patch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isa/regs.h"
#include "isa/relocate.h"
#include "isa/window.h"
#include "proc/tracee.h"
#include "wire/buffer.h"

#define JUMP_SIZE 7 /* ff 24 25: jump through a pointer at a 32-bit address */
#define CALL_SIZE 2
#define HEAD_MAX  8 /* the longest form */

/* The bytes of each form around its constant. */
static const struct form {
	uint8_t length;
	uint8_t call_end; /* offset behind the call */
	uint8_t before[4];
	uint8_t n_before;
	uint8_t behind[2];
	uint8_t n_behind;
} forms[DH_PATCH_FORMS] = {
	[DH_PATCH_NUMBER] = {7, 7, {0xb8}, 1, {0x0f, 0x05}, 2},
	[DH_PATCH_COMPARE] = {8, 2, {0x0f, 0x05, 0x48, 0x3d}, 4, {0}, 0},
	[DH_PATCH_COMPARE_NARROW] = {7, 2, {0x0f, 0x05, 0x3d}, 3, {0}, 0},
};

static bool is_form(const struct form *f, const uint8_t *bytes, int32_t *ret_constant)
{
	if (memcmp(bytes, f->before, f->n_before) != 0 ||
		memcmp(bytes + f->n_before + 4, f->behind, f->n_behind) != 0)
		return false;
	memcpy(ret_constant, bytes + f->n_before, 4);
	return true;
}

static void original(const struct dh_patch *p, uint8_t ret[HEAD_MAX])
{
	const struct form *f = &forms[p->form];

	memcpy(ret, f->before, f->n_before);
	memcpy(ret + f->n_before, &p->constant, 4);
	memcpy(ret + f->n_before + 4, f->behind, f->n_behind);
}

int dh_patch_examine(
	const struct dh_patch_code *code, uint64_t call_end, int64_t nr, struct dh_patch *ret)
{
	struct dh_window_code window = {.bytes = code->bytes, .n = code->n, .start = code->start};
	uint64_t at = call_end - code->start;

	if (at < HEAD_MAX || at + HEAD_MAX > code->n)
		return -ENOTSUP;
	for (enum dh_patch_form i = 0; i < DH_PATCH_FORMS; i++) {
		const struct form *f = &forms[i];
		struct dh_patch p = {.start = call_end - f->call_end, .form = i};

		if (!is_form(f, code->bytes + at - f->call_end, &p.constant) ||
			(i == DH_PATCH_NUMBER && p.constant != nr))
			continue;
		if (dh_window_is_entered(&window, p.start, f->length))
			return -EBUSY;
		*ret = p;
		return 0;
	}
	return -ENOTSUP;
}

unsigned dh_patch_length(const struct dh_patch *p)
{
	return forms[p->form].length;
}

uint64_t dh_patch_call_end(const struct dh_patch *p)
{
	return p->start + forms[p->form].call_end;
}

static uint64_t trampoline(const struct dh_patch *p)
{
	return DH_LANDING_TRAMPOLINES + (uint64_t)p->index * DH_TRAMPOLINE_SIZE;
}

/* The trampoline is the pointer to its code, then
 *	[load the number]
 *	mov [area.sp], rsp
 *	mov esp, stack
 *	mov ecx, behind the call
 *	jmp DH_BUFFER_ENTRY
 *	syscall
 *	[compare]
 *	jmp back */
#define POINTER_SIZE 8
#define SWITCH_SIZE  23

uint64_t dh_patch_trampoline_end(const struct dh_patch *p)
{
	return trampoline(p) + POINTER_SIZE + (p->form == DH_PATCH_NUMBER ? 5 : 0) + SWITCH_SIZE +
	       CALL_SIZE;
}

static uint8_t *put32(uint8_t *at, const char *opcode, size_t n, uint32_t v)
{
	memcpy(at, opcode, n);
	memcpy(at + n, &v, sizeof(v));
	return at + n + sizeof(v);
}

static void build(const struct dh_patch *p, uint8_t ret[DH_TRAMPOLINE_SIZE])
{
	uint64_t code = trampoline(p) + POINTER_SIZE, end = dh_patch_trampoline_end(p);
	uint8_t head[HEAD_MAX], *at = ret + POINTER_SIZE;
	unsigned behind = dh_patch_length(p) - forms[p->form].call_end;

	original(p, head);
	memset(ret, 0xcc, DH_TRAMPOLINE_SIZE);
	memcpy(ret, &code, sizeof(code));
	if (p->form == DH_PATCH_NUMBER) {
		memcpy(at, head, 5);
		at += 5;
	}
	at = put32(at, "\x48\x89\x24\x25", 4, (uint32_t)DH_AREA_SP);
	at = put32(at, "\xbc", 1, (uint32_t)DH_AREA_STACK_TOP);
	at = put32(at, "\xb9", 1, (uint32_t)end);
	at = put32(at, "\xe9", 1, (uint32_t)(DH_BUFFER_ENTRY - (end - CALL_SIZE)));
	memcpy(at, "\x0f\x05", CALL_SIZE);
	at += CALL_SIZE;
	memcpy(at, head + forms[p->form].call_end, behind);
	dh_isa_jump_absolute(p->start + dh_patch_length(p), at + behind);
}

static void build_jump(const struct dh_patch *p, uint8_t ret[HEAD_MAX])
{
	uint8_t *end = put32(ret, "\xff\x24\x25", 3, (uint32_t)trampoline(p));

	*end = 0x90;
}

static bool is_expected(const struct dh_patch *p, const uint8_t have[HEAD_MAX])
{
	uint8_t want[HEAD_MAX];

	original(p, want);
	return memcmp(have, want, dh_patch_length(p)) == 0;
}

size_t dh_patch_select(struct dh_tracee *t, struct dh_patch *list, size_t n)
{
	uint8_t(*have)[HEAD_MAX] = dh_alloc(n * sizeof(*have));
	struct dh_range *ranges = dh_alloc(n * sizeof(*ranges));
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		ranges[i] = (struct dh_range){list[i].start, have[i], dh_patch_length(&list[i])};
	if (dh_tracee_read_ranges(t, ranges, n) == 0) {
		for (size_t i = 0; i < n; i++) {
			if (is_expected(&list[i], have[i]))
				list[kept++] = list[i];
		}
	}
	free(ranges);
	free(have);
	return kept;
}

int dh_patch_apply_all(struct dh_tracee *t, const struct dh_patch *list, size_t n)
{
	uint8_t(*jumps)[HEAD_MAX] = dh_alloc(n * sizeof(*jumps));
	uint8_t(*code)[DH_TRAMPOLINE_SIZE] = dh_alloc(n * sizeof(*code));
	struct dh_range *ranges = dh_alloc((1 + n) * sizeof(*ranges));
	int r;

	/* No jump before what it leads to. */
	ranges[0] = (struct dh_range){trampoline(&list[0]), code, n * sizeof(*code)};
	for (size_t i = 0; i < n; i++) {
		build(&list[i], code[i]);
		build_jump(&list[i], jumps[i]);
		ranges[1 + i] =
			(struct dh_range){list[i].start, jumps[i], dh_patch_length(&list[i])};
	}
	r = dh_tracee_write_ranges(t, ranges, 1 + n);
	free(ranges);
	free(code);
	free(jumps);
	return r;
}

int dh_patch_apply(struct dh_tracee *t, const struct dh_patch *p)
{
	uint8_t have[HEAD_MAX];
	int r = dh_tracee_read(t, p->start, have, dh_patch_length(p));

	if (r < 0)
		return r;
	return is_expected(p, have) ? dh_patch_apply_all(t, p, 1) : -EILSEQ;
}

int dh_patch_is_applied(struct dh_tracee *t, const struct dh_patch *p)
{
	uint8_t want[HEAD_MAX], have[HEAD_MAX];
	unsigned n = dh_patch_length(p);

	build_jump(p, want);
	return dh_tracee_read(t, p->start, have, n) == 0 && memcmp(have, want, n) == 0;
}

void dh_patch_finish(const struct dh_patch *p, struct dh_regs *regs)
{
	if (p->form != DH_PATCH_NUMBER)
		dh_regs_compare_result(regs, p->constant, p->form == DH_PATCH_COMPARE_NARROW);
	dh_regs_set_pc(regs, p->start + dh_patch_length(p));
}

void dh_patch_enter(const struct dh_patch *p, struct dh_regs *regs)
{
	dh_regs_set_pc(regs, dh_patch_trampoline_end(p) - CALL_SIZE);
	dh_regs_enter_syscall(regs);
}

void dh_patch_begin(const struct dh_patch *p, struct dh_regs *regs)
{
	dh_regs_set_pc(regs, p->start);
}

bool dh_patch_in_trampoline(uint64_t pc)
{
	return pc >= DH_LANDING_TRAMPOLINES &&
	       pc < DH_LANDING_TRAMPOLINES + (uint64_t)DH_TRAMPOLINES * DH_TRAMPOLINE_SIZE;
}

void dh_patches_release(struct dh_patches *s)
{
	free(s->items);
	*s = (struct dh_patches){0};
}

void dh_patches_copy(struct dh_patches *to, const struct dh_patches *from)
{
	*to = (struct dh_patches){.n = from->n, .cap = from->n};
	if (from->n)
		to->items = dh_memdup(from->items, from->n * sizeof(*from->items));
}

/* The first that begins behind pc. */
static size_t upper(const struct dh_patches *s, uint64_t pc)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->items[mid].start > pc)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

int dh_patches_add(struct dh_patches *s, const struct dh_patch *p)
{
	size_t at = upper(s, p->start);

	if (s->n >= DH_TRAMPOLINES || p->index >= DH_TRAMPOLINES)
		return -ENOSPC;
	if ((at > 0 && s->items[at - 1].start + dh_patch_length(&s->items[at - 1]) > p->start) ||
		(at < s->n && p->start + dh_patch_length(p) > s->items[at].start))
		return -EEXIST;
	DH_GROW(s->items, s->n, s->cap);
	memmove(&s->items[at + 1], &s->items[at], (s->n - at) * sizeof(*p));
	s->items[at] = *p;
	s->n++;
	return 0;
}

void dh_patches_remove(struct dh_patches *s, const struct dh_patch *p)
{
	size_t at = (size_t)(p - s->items);

	memmove(&s->items[at], &s->items[at + 1], (s->n - at - 1) * sizeof(*p));
	s->n--;
}

const struct dh_patch *dh_patches_at(const struct dh_patches *s, uint64_t start)
{
	size_t at = upper(s, start);

	return at > 0 && s->items[at - 1].start == start ? &s->items[at - 1] : NULL;
}

const struct dh_patch *dh_patches_call_end(const struct dh_patches *s, uint64_t pc)
{
	size_t at = upper(s, pc - 1);

	return at > 0 && dh_patch_call_end(&s->items[at - 1]) == pc ? &s->items[at - 1] : NULL;
}

const struct dh_patch *dh_patches_trampoline(const struct dh_patches *s, uint64_t pc)
{
	uint64_t index = (pc - DH_LANDING_TRAMPOLINES) / DH_TRAMPOLINE_SIZE;

	if (!dh_patch_in_trampoline(pc))
		return NULL;
	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i].index == index)
			return &s->items[i];
	}
	return NULL;
}
