#include "isa/cpu.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum reg { A, B, C, D };

struct leaf {
	uint32_t reg[4];
};

struct feature {
	uint32_t leaf, sub;
	enum reg reg;
	int bit;
	const char *name;
};

/* Names as the kernel spells them.  Only what changes which instructions a program may execute, or
 * which a C library picks by. */
static const struct feature features[] = {
	{1, 0, D, 0, "fpu"},
	{1, 0, D, 4, "tsc"},
	{1, 0, D, 8, "cx8"},
	{1, 0, D, 15, "cmov"},
	{1, 0, D, 19, "clflush"},
	{1, 0, D, 23, "mmx"},
	{1, 0, D, 24, "fxsr"},
	{1, 0, D, 25, "sse"},
	{1, 0, D, 26, "sse2"},
	{1, 0, C, 0, "pni"},
	{1, 0, C, 1, "pclmulqdq"},
	{1, 0, C, 9, "ssse3"},
	{1, 0, C, 12, "fma"},
	{1, 0, C, 13, "cx16"},
	{1, 0, C, 19, "sse4_1"},
	{1, 0, C, 20, "sse4_2"},
	{1, 0, C, 22, "movbe"},
	{1, 0, C, 23, "popcnt"},
	{1, 0, C, 25, "aes"},
	{1, 0, C, 26, "xsave"},
	{1, 0, C, 27, "osxsave"},
	{1, 0, C, 28, "avx"},
	{1, 0, C, 29, "f16c"},
	{1, 0, C, 30, "rdrand"},
	{7, 0, B, 0, "fsgsbase"},
	{7, 0, B, 3, "bmi1"},
	{7, 0, B, 4, "hle"},
	{7, 0, B, 5, "avx2"},
	{7, 0, B, 8, "bmi2"},
	{7, 0, B, 9, "erms"},
	{7, 0, B, 11, "rtm"},
	{7, 0, B, 14, "mpx"},
	{7, 0, B, 16, "avx512f"},
	{7, 0, B, 17, "avx512dq"},
	{7, 0, B, 18, "rdseed"},
	{7, 0, B, 19, "adx"},
	{7, 0, B, 21, "avx512ifma"},
	{7, 0, B, 23, "clflushopt"},
	{7, 0, B, 24, "clwb"},
	{7, 0, B, 26, "avx512pf"},
	{7, 0, B, 27, "avx512er"},
	{7, 0, B, 28, "avx512cd"},
	{7, 0, B, 29, "sha_ni"},
	{7, 0, B, 30, "avx512bw"},
	{7, 0, B, 31, "avx512vl"},
	{7, 0, C, 0, "prefetchwt1"},
	{7, 0, C, 1, "avx512vbmi"},
	{7, 0, C, 4, "ospke"},
	{7, 0, C, 5, "waitpkg"},
	{7, 0, C, 6, "avx512_vbmi2"},
	{7, 0, C, 8, "gfni"},
	{7, 0, C, 9, "vaes"},
	{7, 0, C, 10, "vpclmulqdq"},
	{7, 0, C, 11, "avx512_vnni"},
	{7, 0, C, 12, "avx512_bitalg"},
	{7, 0, C, 14, "avx512_vpopcntdq"},
	{7, 0, C, 22, "rdpid"},
	{7, 0, C, 25, "cldemote"},
	{7, 0, C, 27, "movdiri"},
	{7, 0, C, 28, "movdir64b"},
	{7, 0, D, 2, "avx512_4vnniw"},
	{7, 0, D, 3, "avx512_4fmaps"},
	{7, 0, D, 4, "fsrm"},
	{7, 0, D, 8, "avx512_vp2intersect"},
	{7, 0, D, 14, "serialize"},
	{7, 0, D, 22, "amx_bf16"},
	{7, 0, D, 23, "avx512_fp16"},
	{7, 0, D, 24, "amx_tile"},
	{7, 0, D, 25, "amx_int8"},
	{7, 1, A, 4, "avx_vnni"},
	{7, 1, A, 5, "avx512_bf16"},
	{7, 1, A, 10, "fzrm"},
	{7, 1, A, 11, "fsrs"},
	{7, 1, A, 12, "fsrc"},
	{7, 1, A, 21, "amx_fp16"},
	{7, 1, A, 23, "avx_ifma"},
	{0xd, 1, A, 0, "xsaveopt"},
	{0xd, 1, A, 1, "xsavec"},
	{0xd, 1, A, 2, "xgetbv1"},
	{0x80000001, 0, C, 0, "lahf_lm"},
	{0x80000001, 0, C, 5, "abm"},
	{0x80000001, 0, C, 6, "sse4a"},
	{0x80000001, 0, C, 8, "3dnowprefetch"},
	{0x80000001, 0, C, 11, "xop"},
	{0x80000001, 0, C, 16, "fma4"},
	{0x80000001, 0, C, 21, "tbm"},
	{0x80000001, 0, C, 29, "mwaitx"},
	{0x80000001, 0, D, 27, "rdtscp"},
	{0x80000008, 0, B, 0, "clzero"},
};

static struct leaf read_leaf(uint32_t leaf, uint32_t sub)
{
	struct leaf l = {{0}};

	if (leaf <= (uint32_t)__get_cpuid_max(leaf & 0x80000000, NULL))
		__cpuid_count(leaf, sub, l.reg[A], l.reg[B], l.reg[C], l.reg[D]);
	return l;
}

static void read_vendor(struct dh_cpu *c)
{
	struct leaf l = read_leaf(0, 0);

	memcpy(c->vendor, &l.reg[B], 4);
	memcpy(c->vendor + 4, &l.reg[D], 4);
	memcpy(c->vendor + 8, &l.reg[C], 4);
}

/* Three leaves of text, which some makers pad with spaces in front. */
static void read_model(struct dh_cpu *c)
{
	char text[sizeof(struct leaf) * 3 + 1] = {0};
	size_t skip;

	for (uint32_t i = 0; i < 3; i++) {
		struct leaf l = read_leaf(0x80000002 + i, 0);

		memcpy(text + i * sizeof(l), &l, sizeof(l));
	}
	skip = strspn(text, " ");
	snprintf(c->model, sizeof(c->model), "%s", text + skip);
}

static void read_features(struct dh_cpu *c)
{
	size_t n = 0;

	for (size_t i = 0; i < DH_ARRAY_SIZE(features); i++) {
		const struct feature *f = &features[i];
		struct leaf l = read_leaf(f->leaf, f->sub);
		int len;

		if (!(l.reg[f->reg] >> f->bit & 1))
			continue;
		len = snprintf(
			c->features + n, sizeof(c->features) - n, "%s%s", n ? " " : "", f->name);
		if (len < 0 || (size_t)len >= sizeof(c->features) - n)
			break;
		n += (size_t)len;
	}
}

/* Which core and which socket the answer comes from is left out: a thread moves between them. */
static struct leaf without_core(uint32_t leaf, struct leaf l)
{
	if (leaf == 1)
		l.reg[B] &= 0x00ffffff;
	if (leaf == 0xb || leaf == 0x1f)
		l.reg[D] = 0;
	if (leaf == 0x8000001e)
		l = (struct leaf){{0}};
	return l;
}

static uint64_t hash_leaves(void)
{
	/* The leaves with answers that depend on the second number, and how many of those. */
	static const struct {
		uint32_t leaf, subs;
	} wide[] = {{4, 8}, {7, 3}, {0xb, 4}, {0xd, 20}, {0x1f, 6}, {0x8000001d, 8}};
	static const uint32_t firsts[] = {0, 0x80000000};
	struct leaf all[2 * 64 * 20];
	size_t n = 0;

	for (size_t i = 0; i < DH_ARRAY_SIZE(firsts); i++) {
		uint32_t last = __get_cpuid_max(firsts[i], NULL);

		for (uint32_t leaf = firsts[i]; leaf <= last && leaf - firsts[i] < 64; leaf++) {
			uint32_t subs = 1;

			for (size_t k = 0; k < DH_ARRAY_SIZE(wide); k++)
				if (wide[k].leaf == leaf)
					subs = wide[k].subs;
			for (uint32_t sub = 0; sub < subs; sub++)
				all[n++] = without_core(leaf, read_leaf(leaf, sub));
		}
	}
	return XXH3_64bits(all, n * sizeof(all[0]));
}

void dh_cpu_read(struct dh_cpu *ret)
{
	struct dh_cpu c = {.xstate_size = read_leaf(0xd, 0).reg[B], .id = hash_leaves()};

	read_vendor(&c);
	read_model(&c);
	read_features(&c);
	*ret = c;
}
