#include "isa/xstate.h"

#include <cpuid.h>
#include <pthread.h>
#include <string.h>
#include <xxhash.h>

/* Parts of the legacy region, which every area has. */
#define AT_CONTROL      0u /* x87 control word, status word, tags; then what is not state */
#define AT_MXCSR        24u
#define AT_X87_REGS     32u /* eight of 16 bytes, 10 used */
#define AT_XMM          160u
#define AT_PRESENT      512u /* header: which components are not in their initial state */
#define LEGACY_END      576u
#define INITIAL_CONTROL 0x37f
#define BIT(i)          (UINT64_C(1) << (i))

static struct {
	struct dh_xstate_layout layout;
	bool aligned[DH_XSTATE_COMPONENTS]; /* in the compacted format */
	uint64_t enabled;
} host;

static uint64_t enabled_components(void)
{
	uint32_t a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return 3;
	__asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	return ((uint64_t)d << 32) | a;
}

static void ask_processor(void)
{
	uint32_t size, offset, c, d;

	host.enabled = enabled_components();
	host.layout.size[0] = AT_XMM;
	host.layout.offset[1] = AT_XMM;
	host.layout.size[1] = 256;
	for (uint32_t i = 2; i < DH_XSTATE_COMPONENTS; i++) {
		if (!(host.enabled & BIT(i)) || !__get_cpuid_count(0xd, i, &size, &offset, &c, &d))
			continue;
		host.layout.offset[i] = offset;
		host.layout.size[i] = size;
		host.aligned[i] = c & 2;
	}
}

static pthread_once_t asked = PTHREAD_ONCE_INIT;

void dh_xstate_layout_host(struct dh_xstate_layout *ret)
{
	pthread_once(&asked, ask_processor);
	*ret = host.layout;
}

uint32_t dh_xstate_host_size(uint64_t mask, bool compact)
{
	uint32_t end = LEGACY_END;

	pthread_once(&asked, ask_processor);
	for (uint32_t i = 2; i < DH_XSTATE_COMPONENTS; i++) {
		if (!(mask & host.enabled & BIT(i)))
			continue;
		if (compact)
			end = (host.aligned[i] ? (end + 63) & ~63u : end) + host.layout.size[i];
		else
			end = DH_MAX(end, host.layout.offset[i] + host.layout.size[i]);
	}
	return end;
}

/* An area brought to one form: what means the same has the same bytes. */
struct canonical {
	uint32_t size;
	uint8_t bytes[DH_XSTATE_MAX_SIZE];
};

static bool usable(const struct dh_xstate_layout *l, int i)
{
	return l->size[i] && l->offset[i] >= LEGACY_END && l->offset[i] < DH_XSTATE_MAX_SIZE &&
	       l->size[i] <= DH_XSTATE_MAX_SIZE - l->offset[i];
}

static uint32_t layout_end(const struct dh_xstate_layout *l)
{
	uint32_t end = LEGACY_END;

	for (int i = 2; i < DH_XSTATE_COMPONENTS; i++) {
		if (usable(l, i))
			end = DH_MAX(end, l->offset[i] + l->size[i]);
	}
	return (end + 7) & ~7u;
}

static void copy_legacy(struct canonical *c, const uint8_t *area, uint64_t present)
{
	static const uint16_t control = INITIAL_CONTROL;

	memcpy(c->bytes + AT_CONTROL, &control, sizeof(control));
	/* Saved with either vector component, so the kernel always fills it in. */
	memcpy(c->bytes + AT_MXCSR, area + AT_MXCSR, 4);
	if (present & BIT(0)) {
		memcpy(c->bytes + AT_CONTROL, area + AT_CONTROL, 5);
		for (uint32_t i = 0; i < 8; i++)
			memcpy(c->bytes + AT_X87_REGS + 16 * i, area + AT_X87_REGS + 16 * i, 10);
	}
	if (present & BIT(1))
		memcpy(c->bytes + AT_XMM, area + AT_XMM, 256);
}

static void canonicalise(
	const struct dh_xstate_layout *l, const void *area, size_t size, struct canonical *ret)
{
	static const uint8_t initial[LEGACY_END] = {[AT_MXCSR] = 0x80, [AT_MXCSR + 1] = 0x1f};
	const uint8_t *p = area;
	uint64_t present;

	ret->size = layout_end(l);
	memset(ret->bytes, 0, ret->size);
	if (size < LEGACY_END) {
		p = initial;
		size = sizeof(initial);
	}
	memcpy(&present, p + AT_PRESENT, sizeof(present));
	copy_legacy(ret, p, present);
	for (int i = 2; i < DH_XSTATE_COMPONENTS; i++) {
		if (usable(l, i) && (present & BIT(i)) && l->offset[i] + l->size[i] <= size)
			memcpy(ret->bytes + l->offset[i], p + l->offset[i], l->size[i]);
	}
}

bool dh_xstate_equal(const struct dh_xstate_layout *l, const void *a, size_t a_size, const void *b,
	size_t b_size)
{
	struct canonical ca, cb;

	canonicalise(l, a, a_size, &ca);
	canonicalise(l, b, b_size, &cb);
	return memcmp(ca.bytes, cb.bytes, ca.size) == 0;
}

uint64_t dh_xstate_hash(const struct dh_xstate_layout *l, const void *area, size_t size)
{
	struct canonical c;

	canonicalise(l, area, size, &c);
	return XXH3_64bits(c.bytes, c.size);
}

/* How far the piece that begins at this offset reaches: the legacy region has narrow fields, and
 * a test of a whole word there would compare what is not state. */
static uint8_t piece_size(uint32_t offset)
{
	if (offset == AT_CONTROL || offset == AT_CONTROL + 2)
		return 2;
	if (offset == AT_CONTROL + 4)
		return 1;
	if (offset == AT_MXCSR)
		return 4;
	if (offset >= AT_X87_REGS && offset < AT_XMM && offset % 16 == 8)
		return 2;
	return 8;
}

static uint32_t next_piece(uint32_t offset)
{
	if (offset < AT_CONTROL + 4)
		return offset + 2;
	return (offset | 7) + 1;
}

size_t dh_xstate_differences(const struct dh_xstate_layout *l, const void *want, size_t want_size,
	const void *got, size_t got_size, struct dh_xstate_word *ret, size_t max)
{
	struct canonical w, g;
	size_t n = 0;

	canonicalise(l, want, want_size, &w);
	canonicalise(l, got, got_size, &g);
	for (uint32_t at = 0; at < w.size && n < max; at = next_piece(at)) {
		uint8_t size = piece_size(at);

		if (memcmp(w.bytes + at, g.bytes + at, size) == 0)
			continue;
		ret[n] = (struct dh_xstate_word){.offset = at, .size = size};
		memcpy(&ret[n++].value, w.bytes + at, size);
	}
	return n;
}
