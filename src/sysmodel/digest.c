/* What a call tells the kernel beyond its registers, as one number. */
#include <errno.h>

#include "sysmodel/emit.h"
#include "wire/digest.h"

#define CHUNK 65536u

/* Memory that cannot be read counts as such: the kernel will say EFAULT about it. */
static uint64_t add_range(const struct dh_sys_call *c, const struct dh_sys_range *r, uint64_t h)
{
	uint8_t data[CHUNK];

	for (uint64_t at = 0; at < r->len; at += CHUNK) {
		uint64_t n = DH_MIN(r->len - at, (uint64_t)CHUNK);

		if (c->read(c->cookie, r->addr + at, data, n) != 0)
			return dh_digest_word(h, r->len - at);
		h = dh_digest(h, data, n);
	}
	return h;
}

uint32_t dh_sysmodel_digest(const struct dh_sys_call *c)
{
	struct dh_sys_range ranges[2 * DH_SYS_MAX_IOV];
	int n = dh_sysmodel_inputs(c, ranges, (int)DH_ARRAY_SIZE(ranges));
	uint64_t h = 0;

	for (int i = 0; i < n; i++)
		h = add_range(c, &ranges[i], h);
	return n > 0 ? (uint32_t)h | 1 : 0;
}
