/* Emitters for memory whose size stands in other memory, or in the bits of an argument. */
#include "sysmodel/emit.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>

/* The most descriptors that one process can have with the kernel's default settings. */
#define MAX_FDS (1U << 20)

/* A set of descriptors: whole words, as the kernel copies it.  It cuts the set at the size of
 * the process's table, which is not known here, so a large set is only a bound. */
void dh_emit_fdset(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t n = DH_MIN(dh_emit_length(e, m->len_arg), (uint64_t)MAX_FDS);
	uint64_t bytes = (n + 63) / 64 * 8;

	if (e->out)
		dh_emit_bounded(e, e->c->arg[m->arg], bytes);
	else
		dh_emit_range(e, e->c->arg[m->arg], bytes);
}

/* One byte for each page of a length. */
void dh_emit_pages(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t len = e->c->arg[m->len_arg];

	dh_emit_range(e, e->c->arg[m->arg], len / 4096 + (len % 4096 != 0));
}

/* A set of NUMA nodes: the argument counts its bits, plus one. */
void dh_emit_nodemask(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t bits = e->c->arg[m->len_arg];

	if (bits > 1)
		dh_emit_bounded(e, e->c->arg[m->arg], DH_MIN((bits - 1 + 63) / 64 * 8, 4096UL));
}

/* A buffer whose length stands in a word that the kernel updates. */
void dh_emit_sized_u32(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[m->len_arg];
	uint32_t len;

	dh_emit_range(e, at, sizeof(len));
	if (e->c->result < 0 && !e->faulted)
		return;
	if (dh_emit_read(e, at, &len, sizeof(len)))
		dh_emit_bounded(e, e->c->arg[m->arg], len);
}

/* Arguments: flags, stack, parent's word, child's word.  The parent's word also takes the
 * descriptor of CLONE_PIDFD.  The child's word is written in the child, on its way out. */
void dh_emit_clone(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t flags = e->c->arg[0];

	if (e->c->result > 0 && (flags & CLONE_PARENT_SETTID))
		dh_emit_range(e, e->c->arg[2], 4);
	/* The descriptor is stored before the last things that can fail. */
	else if (e->c->result != 0 && (flags & CLONE_PIDFD))
		dh_emit_range(e, e->c->arg[2], 4);
	if (e->c->result == 0 && (flags & CLONE_CHILD_SETTID))
		dh_emit_range(e, e->c->arg[3], 4);
}

static void clone3_inputs(struct dh_sys_emit *e, const struct clone_args *a, uint64_t size)
{
	dh_emit_range(e, e->c->arg[0], size);
	dh_emit_range(e, a->set_tid, DH_MIN((uint64_t)a->set_tid_size, 32UL) * 4);
}

void dh_emit_clone3(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct clone_args a = {0};
	uint64_t size = DH_MIN(e->c->arg[1], 4096UL);

	if (!dh_emit_read(e, e->c->arg[0], &a, DH_MIN(size, (uint64_t)sizeof(a))))
		return;
	if (!e->out) {
		clone3_inputs(e, &a, size);
		return;
	}
	if (e->c->result != 0 && (a.flags & CLONE_PIDFD))
		dh_emit_range(e, a.pidfd, 4);
	if (e->c->result > 0 && (a.flags & CLONE_PARENT_SETTID))
		dh_emit_range(e, a.parent_tid, 4);
	if (e->c->result == 0 && (a.flags & CLONE_CHILD_SETTID))
		dh_emit_range(e, a.child_tid, 4);
}

/* The header's version says how many sets there are; the kernel writes its own version into a
 * header that it does not know. */
void dh_emit_capability(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct __user_cap_header_struct h;
	uint64_t sets;

	if (e->out)
		dh_emit_range(e, e->c->arg[0], sizeof(h.version));
	else
		dh_emit_range(e, e->c->arg[0], sizeof(h));
	if (e->out && e->c->result < 0 && !e->faulted)
		return;
	if (!e->c->arg[1] || !dh_emit_read(e, e->c->arg[0], &h, sizeof(h)))
		return;
	sets = h.version == _LINUX_CAPABILITY_VERSION_1 ? 1 : 2;
	dh_emit_range(e, e->c->arg[1], sets * sizeof(struct __user_cap_data_struct));
}

/* struct file_handle: its size, its type, its bytes.  Too small a size is corrected in place. */
void dh_emit_handle(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[m->arg];
	uint32_t bytes;

	if (e->c->result == -EOVERFLOW) {
		dh_emit_range(e, at, 8);
		return;
	}
	if ((e->c->result >= 0 || e->faulted) && dh_emit_read(e, at, &bytes, sizeof(bytes)))
		dh_emit_range(e, at, 8 + (uint64_t)DH_MIN(bytes, 128U));
}

void dh_emit_handle_in(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint32_t bytes;

	if (dh_emit_read(e, e->c->arg[m->arg], &bytes, sizeof(bytes)))
		dh_emit_range(e, e->c->arg[m->arg], 8 + (uint64_t)DH_MIN(bytes, 128U));
}

/* name_to_handle_at: an int, or 64 bits with AT_HANDLE_MNT_ID_UNIQUE. */
void dh_emit_mount_id(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	bool wide = e->c->arg[4] & 1;

	if (e->c->result >= 0 || e->c->result == -EOVERFLOW || e->faulted)
		dh_emit_range(e, e->c->arg[m->arg], wide ? 8 : 4);
}

/* The result begins with its own size; what it does not fill of the buffer stays as it was. */
void dh_emit_statmount(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t at = e->c->arg[m->arg], room = e->c->arg[m->len_arg];
	uint32_t size;

	if (room >= sizeof(size) && dh_emit_read(e, at, &size, sizeof(size)))
		dh_emit_range(e, at, DH_MIN((uint64_t)size, room));
}

/* struct xattr_args: the address and the size of the value. */
void dh_emit_xattr_args(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	struct {
		uint64_t value;
		uint32_t size, flags;
	} a;

	if (!e->out)
		dh_emit_range(e, e->c->arg[m->arg], sizeof(a));
	if (!dh_emit_read(e, e->c->arg[m->arg], &a, sizeof(a)))
		return;
	dh_emit_range(e, a.value, e->out ? dh_emit_result(e, a.size) : a.size);
}

/* A message of System V: its type, then its text. */
void dh_emit_msgbuf(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint64_t room = e->c->arg[m->len_arg];
	uint64_t text = e->out ? dh_emit_result(e, room) : room;

	dh_emit_range(e, e->c->arg[m->arg], 8 + DH_MIN(text, DH_SYS_MAX_RW - 8));
}

/* All values of a set of semaphores; how many there are only the kernel knows, so the bound is
 * its limit on a set's size. */
void dh_emit_semarray(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	dh_emit_bounded(e, e->c->arg[m->arg], 32000UL * 2);
}

/* keyctl's public key operations: lengths in a structure, data in two buffers. */
void dh_emit_keyctl_params(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	uint32_t p[3]; /* key, bytes in, bytes out (or bytes of the second input) */

	if (!dh_emit_read(e, e->c->arg[1], p, sizeof(p)))
		return;
	if (e->out) {
		dh_emit_range(e, e->c->arg[4], dh_emit_result(e, p[2]));
		return;
	}
	dh_emit_range(e, e->c->arg[1], 32);
	dh_emit_range(e, e->c->arg[3], p[1]);
}

/* PR_GET_AUXV gives the whole size, and copies what fits. */
void dh_emit_auxv(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	dh_emit_range(e, e->c->arg[1], dh_emit_result(e, e->c->arg[2]));
}

void dh_emit_unknown(struct dh_sys_emit *e, const struct dh_sys_mem *m)
{
	e->err = -ENOTSUP;
}
