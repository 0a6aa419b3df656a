#include "sym/die.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sym/session.h"

#define MAX_NAME 1024

bool dh_die_number(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;

	return dwarf_formudata(dwarf_attr_integrate(die, attribute, &attr), ret) == 0;
}

bool dh_die_next(Dwarf_Die *die)
{
	Dwarf_Die next;

	if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= dwarf_dieoffset(die))
		return false;
	*die = next;
	return true;
}

const char *dh_die_file(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;
	Dwarf_Half version;
	Dwarf_Files *files;
	Dwarf_Word index;
	Dwarf_Die unit;
	size_t n;

	/* The number counts in the unit where the attribute stands; before version 5, 0 is none. */
	if (dwarf_formudata(dwarf_attr_integrate(die, attribute, &attr), &index) != 0 ||
		dwarf_cu_info(attr.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
		(version < 5 && index == 0) || dwarf_getsrcfiles(&unit, &files, &n) != 0 ||
		index >= n)
		return NULL;
	return dwarf_filesrc(files, index, NULL, NULL);
}

/* The entry that stands where the source declares it: inside its class or namespace. */
static void to_declaration(Dwarf_Die *die)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};

	for (size_t i = 0; i < DH_ARRAY_SIZE(links); i++) {
		Dwarf_Attribute attr;
		Dwarf_Die other;

		if (dwarf_attr(die, links[i], &attr) && dwarf_formref_die(&attr, &other))
			*die = other;
	}
}

static bool qualifies(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_interface_type;
}

const char *dh_die_name(struct dh_sym *s, Dwarf_Die *die)
{
	DH_BUF struct dh_buf name = DH_BUF_INIT;
	const char *own = dwarf_diename(die);
	Dwarf_Die declared = *die, *around = NULL;
	int n;

	if (!own)
		return NULL;
	to_declaration(&declared);
	n = dwarf_getscopes_die(&declared, &around);
	for (int i = n - 1; i > 0; i--) {
		const char *part = dwarf_diename(&around[i]);

		if (qualifies(dwarf_tag(&around[i])) && name.len < MAX_NAME)
			dh_buf_addf(&name, "%s::", part ? part : "(anonymous)");
	}
	free(n > 0 ? around : NULL);
	dh_buf_adds(&name, own);
	return dh_sym_text(s, dh_buf_str(&name));
}

static bool is_wrapper(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

bool dh_die_type(Dwarf_Die *die, bool peel, Dwarf_Die *ret)
{
	Dwarf_Die type = *die;

	for (int depth = 0; depth < DH_DIE_MAX_DEPTH; depth++) {
		Dwarf_Attribute attr;
		Dwarf_Die next;

		if (!dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &attr), &next))
			return false;
		type = next;
		if (!peel || !is_wrapper(dwarf_tag(&type))) {
			*ret = type;
			return true;
		}
	}
	return false;
}

static void add_type(struct dh_buf *b, Dwarf_Die *die, int depth);

/* The type that another one is built upon; absent means void. */
static void add_target(struct dh_buf *b, Dwarf_Die *die, int depth)
{
	Dwarf_Die target;

	if (dh_die_type(die, false, &target))
		add_type(b, &target, depth + 1);
	else
		dh_buf_adds(b, "void");
}

static void add_array(struct dh_buf *b, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;
	int dimensions = 0;

	add_target(b, die, depth);
	dh_buf_adds(b, " ");
	if (dwarf_child(die, &child) != 0)
		return;
	do {
		Dwarf_Word n;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (dh_die_number(&child, DW_AT_count, &n))
			dh_buf_addf(b, "[%llu]", (unsigned long long)n);
		else if (dh_die_number(&child, DW_AT_upper_bound, &n))
			dh_buf_addf(b, "[%llu]", (unsigned long long)n + 1);
		else
			dh_buf_adds(b, "[]");
	} while (++dimensions < DH_DIE_MAX_DEPTH && dh_die_next(&child));
}

static void add_named(struct dh_buf *b, const char *prefix, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	dh_buf_adds(b, prefix);
	dh_buf_adds(b, name ? name : "(anonymous)");
}

/* The word for a qualifier, or NULL. */
static const char *qualifier(int tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_atomic_type:
		return "_Atomic";
	case DW_TAG_restrict_type:
		return "restrict";
	default:
		return NULL;
	}
}

/* What is qualified is itself a pointer. */
static bool qualifies_pointer(Dwarf_Die *die)
{
	Dwarf_Die type = *die;

	for (int depth = 0; depth < DH_DIE_MAX_DEPTH && qualifier(dwarf_tag(&type)); depth++) {
		if (!dh_die_type(&type, false, &type))
			return false;
	}
	return dwarf_tag(&type) == DW_TAG_pointer_type;
}

/* "const char" but "char *const". */
static void add_qualified(struct dh_buf *b, const char *word, Dwarf_Die *die, int depth)
{
	if (!qualifies_pointer(die)) {
		dh_buf_addf(b, "%s ", word);
		add_target(b, die, depth);
		return;
	}
	add_target(b, die, depth);
	if (b->len && b->data[b->len - 1] != '*')
		dh_buf_addc(b, ' ');
	dh_buf_adds(b, word);
}

static void add_pointer(struct dh_buf *b, const char *mark, Dwarf_Die *die, int depth)
{
	add_target(b, die, depth);
	if (b->len && b->data[b->len - 1] != '*')
		dh_buf_addc(b, ' ');
	dh_buf_adds(b, mark);
}

static void add_type(struct dh_buf *b, Dwarf_Die *die, int depth)
{
	const char *word = qualifier(dwarf_tag(die));

	if (depth > DH_DIE_MAX_DEPTH || b->len > MAX_NAME) {
		dh_buf_adds(b, "...");
		return;
	}
	if (word) {
		add_qualified(b, word, die, depth);
		return;
	}
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
		return add_pointer(b, "*", die, depth);
	case DW_TAG_reference_type:
		return add_pointer(b, "&", die, depth);
	case DW_TAG_rvalue_reference_type:
		return add_pointer(b, "&&", die, depth);
	case DW_TAG_subroutine_type:
		return add_pointer(b, "()", die, depth);
	case DW_TAG_array_type:
		return add_array(b, die, depth);
	case DW_TAG_structure_type:
		return add_named(b, "struct ", die);
	case DW_TAG_union_type:
		return add_named(b, "union ", die);
	case DW_TAG_enumeration_type:
		return add_named(b, "enum ", die);
	default:
		return add_named(b, "", die);
	}
}

const char *dh_die_type_name(struct dh_sym *s, Dwarf_Die *die)
{
	DH_BUF struct dh_buf name = DH_BUF_INIT;

	add_target(&name, die, 0);
	return dh_sym_text(s, dh_buf_str(&name));
}
