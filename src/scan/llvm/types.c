#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "scan/llvm/lift.h"

/* Of a type within a signature. */
#define MAX_NESTING    4
#define MAX_PARAMETERS 64

static void type_text(struct dh_lift *l, struct dh_di_type *t, struct dh_buf *out, unsigned depth);

static void signature_text(
	struct dh_lift *l, struct dh_di_type *t, struct dh_buf *out, unsigned depth)
{
	struct dh_di_type *parts[MAX_PARAMETERS];
	size_t n = dh_di_signature(&l->di, t->md, parts, MAX_PARAMETERS);

	type_text(l, n ? parts[0] : NULL, out, depth);
	dh_buf_addc(out, '(');
	for (size_t i = 1; i < n; i++) {
		dh_buf_adds(out, i > 1 ? "," : "");
		type_text(l, parts[i], out, depth);
	}
	dh_buf_addc(out, ')');
}

static void type_text(struct dh_lift *l, struct dh_di_type *t, struct dh_buf *out, unsigned depth)
{
	if (!t) {
		dh_buf_adds(out, "void");
		return;
	}
	dh_di_complete(&l->di, t);
	if (depth > MAX_NESTING) {
		dh_buf_addc(out, '?');
	} else if (t->kind == DH_DI_POINTER || t->kind == DH_DI_ARRAY) {
		type_text(l, t->target, out, depth + 1);
		dh_buf_addc(out, '*');
	} else if (t->kind == DH_DI_FUNCTION) {
		signature_text(l, t, out, depth + 1);
	} else if (t->kind == DH_DI_BASIC && t->size) {
		/* Enums and the names of integers differ between declarations of one function. */
		dh_buf_addf(out, "i%llu", (unsigned long long)t->size * 8);
	} else {
		dh_buf_adds(out, t->name ? t->name : "?");
	}
}

static const uint8_t kinds[] = {
	[DH_DI_UNKNOWN] = DH_SCAN_TYPE_UNKNOWN,
	[DH_DI_BASIC] = DH_SCAN_TYPE_INT,
	[DH_DI_POINTER] = DH_SCAN_TYPE_POINTER,
	[DH_DI_STRUCT] = DH_SCAN_TYPE_STRUCT,
	[DH_DI_UNION] = DH_SCAN_TYPE_UNION,
	[DH_DI_ARRAY] = DH_SCAN_TYPE_ARRAY,
	[DH_DI_FUNCTION] = DH_SCAN_TYPE_FUNCTION,
};

static uint32_t make_type(struct dh_lift *l, struct dh_di_type *t, unsigned depth)
{
	struct dh_scan_type ir = {.kind = kinds[t->kind], .size = t->size};

	if (t->ir)
		return t->ir;
	if (depth > MAX_NESTING)
		return 0;
	if (t->kind == DH_DI_FUNCTION) {
		DH_BUF struct dh_buf text = DH_BUF_INIT;

		signature_text(l, t, &text, 0);
		ir.name = dh_scan_str(l->program, dh_buf_str(&text));
	} else {
		ir.name = dh_scan_str(l->program, t->name);
	}
	if (t->kind == DH_DI_POINTER || t->kind == DH_DI_ARRAY) {
		dh_di_complete(&l->di, t);
		ir.target = t->target ? make_type(l, t->target, depth + 1) : 0;
	}
	t->ir = dh_scan_type_add(l->program, &ir);
	return t->ir;
}

uint32_t dh_lift_type(struct dh_lift *l, struct dh_di_type *t)
{
	return t ? make_type(l, t, 0) : 0;
}

struct dh_di_type *dh_lift_target(struct dh_lift *l, struct dh_di_type *t)
{
	if (!t || t->kind != DH_DI_POINTER)
		return NULL;
	dh_di_complete(&l->di, t);
	return t->target;
}

static uint32_t make_field(
	struct dh_lift *l, struct dh_di_type *owner, const struct dh_di_member *m, uint64_t storage)
{
	return dh_scan_field_add(l->program, &(struct dh_scan_field){
						     .owner = dh_lift_type(l, owner),
						     .name = dh_scan_str(l->program, m->name),
						     .type = dh_lift_type(l, m->type),
						     .offset_bits = (uint32_t)m->offset_bits,
						     .size_bits = (uint32_t)m->size_bits,
						     .storage_bits = (uint32_t)storage,
						     .bitfield = m->bitfield,
					     });
}

/* Down into the member; what has no name leaves no trace but its type. */
static void step(struct dh_lift *l, struct dh_lift_value *v, const struct dh_di_member *m)
{
	struct dh_di_type *owner = v->pointee;

	if (m->name)
		v->node = dh_scan_field_of(
			l->program, v->node, make_field(l, owner, m, m->offset_bits));
	v->pointee = m->type;
}

/* The member that covers the byte; one of exactly this size (bytes) is better than any other. */
static const struct dh_di_member *member_at(
	struct dh_lift *l, struct dh_di_type *t, uint64_t byte, uint64_t size)
{
	const struct dh_di_member *best = NULL;

	dh_di_complete(&l->di, t);
	for (size_t i = 0; i < t->n_members; i++) {
		const struct dh_di_member *m = &t->members[i];
		bool open = m->size_bits == 0 && m->type && m->type->kind == DH_DI_ARRAY;

		if (m->offset_bits > byte * 8 ||
			(m->offset_bits + m->size_bits <= byte * 8 && !open))
			continue;
		if (m->offset_bits == byte * 8 && m->size_bits == size * 8)
			return m;
		if (!best)
			best = m;
	}
	return best;
}

static void step_array(struct dh_lift *l, struct dh_lift_value *v, uint64_t *offset)
{
	struct dh_di_type *target;

	dh_di_complete(&l->di, v->pointee);
	target = v->pointee->target;
	if (!target || !target->size) {
		v->pointee = NULL;
		return;
	}
	v->node = dh_scan_index(
		l->program, v->node, dh_scan_const(l->program, (int64_t)(*offset / target->size)));
	*offset %= target->size;
	v->pointee = target;
}

void dh_lift_descend(struct dh_lift *l, struct dh_lift_value *v, uint64_t offset, uint64_t size)
{
	const struct dh_di_member *m;

	while (v->pointee &&
		(v->pointee->kind == DH_DI_STRUCT || v->pointee->kind == DH_DI_ARRAY)) {
		if (v->pointee->kind == DH_DI_ARRAY) {
			step_array(l, v, &offset);
			continue;
		}
		m = member_at(l, v->pointee, offset, size);
		if (!m || m->bitfield || (size && m->size_bits && m->size_bits < size * 8))
			break;
		step(l, v, m);
		offset -= m->offset_bits / 8;
	}
	if (offset) {
		v->node = dh_scan_offset(l->program, v->node, (int64_t)offset);
		v->pointee = NULL;
	}
}

/* "struct.ns::name.12" and "class.name.base" without their decorations; into buf. */
static const char *plain_name(const char *name, char *buf, size_t size, bool *ret_base)
{
	static const char *const prefixes[] = {"struct.", "class.", "union."};
	size_t n;
	char *dot, *colon;

	*ret_base = false;
	for (size_t i = 0; i < DH_ARRAY_SIZE(prefixes); i++) {
		n = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], n) == 0) {
			name += n;
			break;
		}
	}
	snprintf(buf, size, "%s", name);
	while ((dot = strrchr(buf, '.'))) {
		*ret_base |= strcmp(dot, ".base") == 0;
		if (strcmp(dot, ".base") != 0 && strspn(dot + 1, "0123456789") != strlen(dot + 1))
			break;
		*dot = 0;
	}
	colon = strrchr(buf, ':');
	return colon ? colon + 1 : buf;
}

/* Looks for a struct of this size among what stands at the beginning of v, unions included. */
static bool fit_inside(struct dh_lift *l, struct dh_lift_value *v, uint64_t size, unsigned depth)
{
	struct dh_di_type *t = v->pointee;

	if (!t || depth > MAX_NESTING)
		return false;
	if (t->kind == DH_DI_STRUCT && t->size == size)
		return true;
	if (t->kind != DH_DI_STRUCT && t->kind != DH_DI_UNION)
		return false;
	dh_di_complete(&l->di, t);
	for (size_t i = 0; i < t->n_members; i++) {
		struct dh_lift_value inner = *v;

		if (t->members[i].offset_bits || t->members[i].bitfield)
			continue;
		if (t->kind == DH_DI_UNION)
			inner.pointee = t->members[i].type;
		else
			step(l, &inner, &t->members[i]);
		if (fit_inside(l, &inner, size, depth + 1)) {
			*v = inner;
			return true;
		}
	}
	return false;
}

/* Makes v point to the struct that LLVM takes it for: as it is, or as the part of it, or as what a
 * cast says. */
static void fit(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type)
{
	uint64_t size = LLVMABISizeOfType(l->layout, type);
	const char *name = LLVMGetStructName(type);
	char buf[512];
	bool base = false;
	struct dh_di_type *named;

	if (v->pointee && v->pointee->kind == DH_DI_STRUCT && v->pointee->size == size) {
		dh_map_setp(&l->learnt, (uint64_t)(uintptr_t)type, v->pointee);
		return;
	}
	name = name ? plain_name(name, buf, sizeof(buf), &base) : NULL;
	named = name && strcmp(name, "anon") != 0 ? dh_di_named(&l->di, name, base ? 0 : size)
						  : NULL;
	if (base && v->pointee == named && named)
		return;
	if (!named && !v->pointee)
		named = dh_map_getp(&l->learnt, (uint64_t)(uintptr_t)type);
	if (named) {
		v->pointee = named;
		return;
	}
	if (!fit_inside(l, v, size, 0) && !(base && v->pointee))
		v->pointee = NULL;
}

/* The debug information does not know the struct: a member is named by its place. */
static void nameless_member(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type,
	uint64_t offset, uint64_t size)
{
	const char *name = LLVMGetStructName(type);
	char buf[512], place[32];
	bool base;
	struct dh_scan_type owner = {.kind = DH_SCAN_TYPE_STRUCT};

	snprintf(place, sizeof(place), "+%llu", (unsigned long long)offset);
	owner.name = dh_scan_str(
		l->program, name ? plain_name(name, buf, sizeof(buf), &base) : "(unnamed)");
	owner.size = LLVMABISizeOfType(l->layout, type);
	v->node = dh_scan_field_of(l->program, v->node,
		dh_scan_field_add(l->program, &(struct dh_scan_field){
						      .owner = dh_scan_type_add(l->program, &owner),
						      .name = dh_scan_str(l->program, place),
						      .offset_bits = (uint32_t)(offset * 8),
						      .size_bits = (uint32_t)(size * 8),
						      .storage_bits = (uint32_t)(offset * 8),
					      }));
	v->pointee = NULL;
}

void dh_lift_member(struct dh_lift *l, struct dh_lift_value *v, LLVMTypeRef type, unsigned index)
{
	uint64_t offset = LLVMOffsetOfElement(l->layout, type, index);
	uint64_t size = LLVMABISizeOfType(l->layout, LLVMStructGetTypeAtIndex(type, index));
	const struct dh_di_member *m;

	v->bits_owner = NULL;
	/* The types of unions are never what they say. */
	if (v->pointee && v->pointee->kind == DH_DI_UNION &&
		v->pointee->size == LLVMABISizeOfType(l->layout, type) &&
		LLVMCountStructElementTypes(type) == 1)
		return;
	fit(l, v, type);
	m = v->pointee ? member_at(l, v->pointee, offset, size) : NULL;
	if (!m && v->pointee && size == 0)
		return; /* an empty base class */
	if (!m) {
		nameless_member(l, v, type, offset, size);
	} else if (m->bitfield) {
		v->bits_owner = v->pointee;
		v->bits_at = offset * 8;
		v->pointee = NULL;
	} else {
		step(l, v, m);
		if (m->offset_bits / 8 < offset)
			dh_lift_descend(l, v, offset - m->offset_bits / 8, size);
	}
}

void dh_lift_bitfield(struct dh_lift *l, struct dh_lift_value *v, unsigned bit)
{
	struct dh_di_type *owner = v->bits_owner;
	uint64_t at = v->bits_at + bit;

	v->bits_owner = NULL;
	for (size_t i = 0; i < owner->n_members; i++) {
		const struct dh_di_member *m = &owner->members[i];

		if (m->offset_bits <= at && at < m->offset_bits + m->size_bits) {
			v->node = dh_scan_field_of(
				l->program, v->node, make_field(l, owner, m, v->bits_at));
			v->pointee = m->type;
			return;
		}
	}
}
