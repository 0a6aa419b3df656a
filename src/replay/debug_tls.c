/* Thread-local variables: where glibc keeps those of one thread.  Which word of its private struct
 * link_map has the number of the module is told by a table in glibc that is there for debuggers;
 * gdb looks up its address. */
#include "replay/debug.h"

#include <errno.h>

#include "replay/replayer.h"

#define DTV_AT      8  /* from the thread pointer */
#define DTV_SLOT    16 /* bytes */
#define UNALLOCATED UINT64_MAX
#define MODULES_MAX 65536u
#define OFFSET_MAX  65536u

/* As glibc describes a field of one of its structs. */
struct field {
	uint32_t bits, n, offset;
};

int debug_tls(struct dh_debug *d, struct dh_replay_task *t, uint64_t link_map, uint64_t offset,
	uint64_t *ret)
{
	uint64_t module = 0, dtv = 0, block = 0;
	struct field field;
	struct dh_regs regs;

	if (!d->tls_field || dh_tracee_read(&t->t, d->tls_field, &field, sizeof(field)) < 0 ||
		field.bits != 64 || field.offset > OFFSET_MAX)
		return -ENOTSUP;
	if (debug_regs(t, &regs) < 0 ||
		dh_tracee_read(&t->t, link_map + field.offset, &module, sizeof(module)) < 0 ||
		dh_tracee_read(&t->t, dh_regs_thread(&regs) + DTV_AT, &dtv, sizeof(dtv)) < 0)
		return -EFAULT;
	if (module == 0 || module > MODULES_MAX ||
		dh_tracee_read(&t->t, dtv + module * DTV_SLOT, &block, sizeof(block)) < 0 ||
		block == UNALLOCATED || block == 0)
		return -EFAULT;
	*ret = block + offset;
	return 0;
}
