#include "isa/gdbregs.h"

#include <string.h>

#include "base/buf.h"
#include "isa/regs.h"
#include "isa/x86.h"
#include "isa/xstate.h"

#define AVX 2 /* number of the component that has the upper halves of ymm0 to ymm15 */

enum source {
	WORD,   /* of struct dh_regs: where is its index */
	XSTATE, /* where is an offset in the area */
	TAGS,   /* of the x87 registers, which the area has in a short form */
	UPPER,  /* where is an offset in the AVX component */
};

/* `count` registers of the same kind, `stride` apart; the name has a %u when there are several. */
struct row {
	const char *name;
	uint8_t count;
	uint8_t bits;  /* in the protocol */
	uint8_t bytes; /* in memory */
	uint8_t stride;
	enum source source;
	uint16_t where;
	const char *type;
};

#define GENERAL(name, word, type)                                                                  \
	{                                                                                          \
		name, 1, 64, 8, 0, WORD, word, type                                                \
	}
#define SEGMENT(name, word)                                                                        \
	{                                                                                          \
		name, 1, 32, 4, 0, WORD, word, "int32"                                             \
	}
#define X87(name, bytes, where)                                                                    \
	{                                                                                          \
		name, 1, 32, bytes, 0, XSTATE, where, "int\" group=\"float"                        \
	}

static const struct row core[] = {
	GENERAL("rax", DH_X86_RAX, "int64"),
	GENERAL("rbx", DH_X86_RBX, "int64"),
	GENERAL("rcx", DH_X86_RCX, "int64"),
	GENERAL("rdx", DH_X86_RDX, "int64"),
	GENERAL("rsi", DH_X86_RSI, "int64"),
	GENERAL("rdi", DH_X86_RDI, "int64"),
	GENERAL("rbp", DH_X86_RBP, "data_ptr"),
	GENERAL("rsp", DH_X86_RSP, "data_ptr"),
	GENERAL("r8", DH_X86_R8, "int64"),
	GENERAL("r9", DH_X86_R9, "int64"),
	GENERAL("r10", DH_X86_R10, "int64"),
	GENERAL("r11", DH_X86_R11, "int64"),
	GENERAL("r12", DH_X86_R12, "int64"),
	GENERAL("r13", DH_X86_R13, "int64"),
	GENERAL("r14", DH_X86_R14, "int64"),
	GENERAL("r15", DH_X86_R15, "int64"),
	GENERAL("rip", DH_X86_RIP, "code_ptr"),
	{"eflags", 1, 32, 4, 0, WORD, DH_X86_FLAGS, "flags"},
	SEGMENT("cs", DH_X86_CS),
	SEGMENT("ss", DH_X86_SS),
	SEGMENT("ds", DH_X86_DS),
	SEGMENT("es", DH_X86_ES),
	SEGMENT("fs", DH_X86_FS),
	SEGMENT("gs", DH_X86_GS),
	{"st%u", 8, 80, 10, 16, XSTATE, 32, "i387_ext"},
	X87("fctrl", 2, 0),
	X87("fstat", 2, 2),
	{"ftag", 1, 32, 2, 0, TAGS, 4, "int\" group=\"float"},
	X87("fiseg", 2, 12),
	X87("fioff", 4, 8),
	X87("foseg", 2, 20),
	X87("fooff", 4, 16),
	X87("fop", 2, 6),
};

static const struct row sse[] = {
	{"xmm%u", 16, 128, 16, 16, XSTATE, 160, "vec128"},
	{"mxcsr", 1, 32, 4, 0, XSTATE, 24, "int\" group=\"vector"},
};

static const struct row os[] = {GENERAL("orig_rax", DH_X86_ORIG_RAX, "int64\" group=\"system")};

static const struct row bases[] = {
	GENERAL("fs_base", DH_X86_FS_BASE, "int64"),
	GENERAL("gs_base", DH_X86_GS_BASE, "int64"),
};

static const struct row avx[] = {{"ymm%uh", 16, 128, 16, 16, UPPER, 0, "uint128"}};

static const char flags_type[] = "<flags id=\"flags\" size=\"4\">"
				 "<field name=\"CF\" start=\"0\" end=\"0\"/>"
				 "<field name=\"PF\" start=\"2\" end=\"2\"/>"
				 "<field name=\"AF\" start=\"4\" end=\"4\"/>"
				 "<field name=\"ZF\" start=\"6\" end=\"6\"/>"
				 "<field name=\"SF\" start=\"7\" end=\"7\"/>"
				 "<field name=\"TF\" start=\"8\" end=\"8\"/>"
				 "<field name=\"IF\" start=\"9\" end=\"9\"/>"
				 "<field name=\"DF\" start=\"10\" end=\"10\"/>"
				 "<field name=\"OF\" start=\"11\" end=\"11\"/>"
				 "</flags>";

static const char vector_types[] = "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
				   "<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>"
				   "<vector id=\"v16i8\" type=\"int8\" count=\"16\"/>"
				   "<vector id=\"v8i16\" type=\"int16\" count=\"8\"/>"
				   "<vector id=\"v4i32\" type=\"int32\" count=\"4\"/>"
				   "<vector id=\"v2i64\" type=\"int64\" count=\"2\"/>"
				   "<union id=\"vec128\">"
				   "<field name=\"v4_float\" type=\"v4f\"/>"
				   "<field name=\"v2_double\" type=\"v2d\"/>"
				   "<field name=\"v16_int8\" type=\"v16i8\"/>"
				   "<field name=\"v8_int16\" type=\"v8i16\"/>"
				   "<field name=\"v4_int32\" type=\"v4i32\"/>"
				   "<field name=\"v2_int64\" type=\"v2i64\"/>"
				   "<field name=\"uint128\" type=\"uint128\"/>"
				   "</union>";

/* gdb knows the features by these names and requires these registers in them. */
static const struct feature {
	const char *name, *types;
	const struct row *rows;
	size_t n;
	bool optional; /* only where the processor has AVX */
} features[] = {
	{"core", flags_type, core, DH_ARRAY_SIZE(core), false},
	{"sse", vector_types, sse, DH_ARRAY_SIZE(sse), false},
	{"linux", "", os, DH_ARRAY_SIZE(os), false},
	{"segments", "", bases, DH_ARRAY_SIZE(bases), false},
	{"avx", "", avx, DH_ARRAY_SIZE(avx), true},
};

static bool present(const struct feature *f, const struct dh_xstate_layout *l)
{
	return !f->optional || (l->offset[AVX] && l->size[AVX] >= 16 * 16);
}

static void describe_row(const struct row *row, struct dh_buf *out)
{
	for (unsigned i = 0; i < row->count; i++) {
		dh_buf_adds(out, "<reg name=\"");
		if (row->count > 1) {
			const char *at = strchr(row->name, '%');

			dh_buf_add(out, row->name, (size_t)(at - row->name));
			dh_buf_addf(out, "%u%s", i, at + 2);
		} else {
			dh_buf_adds(out, row->name);
		}
		dh_buf_addf(out, "\" bitsize=\"%u\" type=\"%s\"/>\n", row->bits, row->type);
	}
}

void dh_gdbregs_describe(const struct dh_xstate_layout *layout, struct dh_buf *out)
{
	dh_buf_adds(out, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
			 "<target version=\"1.0\">\n<architecture>i386:x86-64</architecture>\n"
			 "<osabi>GNU/Linux</osabi>\n");
	for (size_t i = 0; i < DH_ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];

		if (!present(f, layout))
			continue;
		dh_buf_addf(out, "<feature name=\"org.gnu.gdb.i386.%s\">\n%s\n", f->name, f->types);
		for (size_t k = 0; k < f->n; k++)
			describe_row(&f->rows[k], out);
		dh_buf_adds(out, "</feature>\n");
	}
	dh_buf_adds(out, "</target>\n");
}

static void copy_xstate(const struct dh_gdbregs *g, size_t where, uint8_t *ret, size_t n)
{
	if (where < g->xstate_size)
		memcpy(ret, g->xstate + where, DH_MIN(n, g->xstate_size - where));
}

/* 0: a number, 1: zero, 2: anything else. */
static unsigned classify_x87(const uint8_t value[10])
{
	uint16_t exponent;
	uint64_t fraction;

	memcpy(&fraction, value, sizeof(fraction));
	memcpy(&exponent, value + 8, sizeof(exponent));
	exponent &= 0x7fff;
	if (exponent == 0x7fff)
		return 2;
	if (exponent == 0)
		return fraction ? 2 : 1;
	return fraction >> 63 ? 0 : 2;
}

/* One bit for each physical register becomes two; those that are not in use are 3. */
static uint16_t full_tags(const struct dh_gdbregs *g)
{
	uint8_t used = 0, status[2] = {0};
	unsigned top, tags = 0;

	copy_xstate(g, 4, &used, 1);
	copy_xstate(g, 2, status, 2);
	top = (status[1] >> 3) & 7;
	for (unsigned i = 0; i < 8; i++) {
		uint8_t value[10] = {0};
		unsigned tag = 3;

		if (used & 1u << i) {
			copy_xstate(g, 32 + 16 * ((i + 8 - top) % 8), value, sizeof(value));
			tag = classify_x87(value);
		}
		tags |= tag << (2 * i);
	}
	return (uint16_t)tags;
}

static size_t fetch(const struct dh_gdbregs *g, const struct row *row, unsigned i, uint8_t ret[16])
{
	size_t where = row->where + (size_t)i * row->stride;
	uint16_t tags;

	memset(ret, 0, 16);
	switch (row->source) {
	case WORD:
		memcpy(ret, &g->regs->word[row->where], row->bytes);
		break;
	case XSTATE:
		copy_xstate(g, where, ret, row->bytes);
		break;
	case UPPER:
		copy_xstate(g, g->layout->offset[AVX] + where, ret, row->bytes);
		break;
	case TAGS:
		tags = full_tags(g);
		memcpy(ret, &tags, sizeof(tags));
		break;
	}
	return row->bits / 8;
}

/* Calls fetch() for register number want, or for all when want is -1, one behind the other. */
static size_t walk(const struct dh_gdbregs *g, long want, uint8_t *ret)
{
	size_t n = 0;
	long at = 0;

	for (size_t f = 0; f < DH_ARRAY_SIZE(features); f++) {
		if (!present(&features[f], g->layout))
			continue;
		for (size_t k = 0; k < features[f].n; k++) {
			const struct row *row = &features[f].rows[k];

			for (unsigned i = 0; i < row->count; i++, at++) {
				uint8_t value[16];
				size_t size;

				if (want >= 0 && want != at)
					continue;
				size = fetch(g, row, i, value);
				memcpy(ret + n, value, size);
				n += size;
			}
		}
	}
	return n;
}

size_t dh_gdbregs_all(const struct dh_gdbregs *g, uint8_t ret[DH_GDBREGS_MAX])
{
	return walk(g, -1, ret);
}

size_t dh_gdbregs_one(const struct dh_gdbregs *g, unsigned i, uint8_t ret[16])
{
	return walk(g, (long)i, ret);
}
