/* Memory, and limits on it: what concerns the process alone. */
#include "buffer.h"

#include <linux/mman.h>
#include <asm/unistd.h>
#include <linux/resource.h>

#define ERROR_MAX 4095

/* Only what the kernel fills with zeros: files and shared memory are the tracer's to see. */
long dh_mmap(struct dh_call *c)
{
	const uint64_t known = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_FIXED_NOREPLACE |
			       MAP_NORESERVE | MAP_STACK;
	uint64_t flags = c->arg[3];

	if ((flags & ~known) || !(flags & MAP_PRIVATE) || !(flags & MAP_ANONYMOUS) ||
		(int)c->arg[4] >= 0 || !dh_ring_room(0))
		return DH_LEAVE;
	return dh_raw(__NR_mmap, c->arg[0], c->arg[1], c->arg[2], flags, c->arg[4], c->arg[5]);
}

long dh_mmap_again(const uint64_t *arg, long result)
{
	if (result < 0 && result >= -ERROR_MAX)
		return result;
	return dh_raw(__NR_mmap, (uint64_t)result, arg[1], arg[2],
		(arg[3] & ~(uint64_t)MAP_FIXED_NOREPLACE) | MAP_FIXED, arg[4], arg[5]);
}

/* Limits are looked at: setting some has to happen in a replay too. */
long dh_prlimit(struct dh_call *c)
{
	long r;

	if (c->arg[2] || c->arg[0] || !dh_ring_room(sizeof(struct rlimit64)))
		return DH_LEAVE;
	r = dh_raw4(__NR_prlimit64, 0, c->arg[1], 0, c->arg[3]);
	if (r == 0)
		dh_ring_out(c, 3, sizeof(struct rlimit64));
	return r;
}
