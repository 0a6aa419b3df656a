/* What calls tell the kernel beyond their arguments.  A replay compares it: a program that does not
 * do what was recorded is noticed at the first word that it says. */
#include "buffer.h"

#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/uio.h>

#include "wire/digest.h"

#define PATH_MAX_HERE 4096
#define PATH(arg)     (1 << (arg)) /* of arguments 0 to 3 */
#define BYTES         0x10         /* at argument 1, as many as the result says */
#define IOV           0x20         /* the same, in pieces */
#define MSG           0x40

static const uint8_t inputs[] = {
	[__NR_write] = BYTES,
	[__NR_pwrite64] = BYTES,
	[__NR_sendto] = BYTES,
	[__NR_writev] = IOV,
	[__NR_sendmsg] = MSG,
	[__NR_open] = PATH(0),
	[__NR_stat] = PATH(0),
	[__NR_lstat] = PATH(0),
	[__NR_access] = PATH(0),
	[__NR_chdir] = PATH(0),
	[__NR_rename] = PATH(0) | PATH(1),
	[__NR_mkdir] = PATH(0),
	[__NR_rmdir] = PATH(0),
	[__NR_link] = PATH(0) | PATH(1),
	[__NR_unlink] = PATH(0),
	[__NR_symlink] = PATH(0) | PATH(1),
	[__NR_readlink] = PATH(0),
	[__NR_chmod] = PATH(0),
	[__NR_chown] = PATH(0),
	[__NR_lchown] = PATH(0),
	[__NR_statfs] = PATH(0),
	[__NR_getxattr] = PATH(0) | PATH(1),
	[__NR_lgetxattr] = PATH(0) | PATH(1),
	[__NR_fgetxattr] = PATH(1),
	[__NR_openat] = PATH(1),
	[__NR_mkdirat] = PATH(1),
	[__NR_fchownat] = PATH(1),
	[__NR_newfstatat] = PATH(1),
	[__NR_unlinkat] = PATH(1),
	[__NR_renameat] = PATH(1) | PATH(3),
	[__NR_linkat] = PATH(1) | PATH(3),
	[__NR_symlinkat] = PATH(0) | PATH(2),
	[__NR_readlinkat] = PATH(1),
	[__NR_fchmodat] = PATH(1),
	[__NR_faccessat] = PATH(1),
	[__NR_utimensat] = PATH(1),
	[__NR_renameat2] = PATH(1) | PATH(3),
	[__NR_statx] = PATH(1),
	[__NR_faccessat2] = PATH(1),
};

static uint64_t path(uint64_t h, uint64_t addr)
{
	const uint8_t *p = (const uint8_t *)addr;
	uint64_t n = 0;

	if (!addr)
		return h;
	while (n < PATH_MAX_HERE && p[n])
		n++;
	return dh_digest(h, p, n);
}

static uint64_t pieces(uint64_t h, const struct iovec *iov, uint64_t n, uint64_t left)
{
	for (uint64_t i = 0; i < n && left; i++) {
		uint64_t len = iov[i].iov_len < left ? iov[i].iov_len : left;

		h = dh_digest(h, iov[i].iov_base, len);
		left -= len;
	}
	return h;
}

static uint64_t sent(uint64_t h, uint8_t kind, const uint64_t *arg, uint64_t n)
{
	const struct dh_msg *m = (const struct dh_msg *)arg[1];

	if (kind & BYTES)
		return dh_digest(h, (const void *)arg[1], n);
	if (kind & IOV)
		return pieces(h, (const struct iovec *)arg[1], arg[2], n);
	return pieces(h, (const struct iovec *)m->iov, m->iovlen, n);
}

/* Only what the kernel has found good: bytes that it took, names of a call that succeeded or found
 * nothing. */
uint64_t dh_inputs(uint64_t h, unsigned nr, const uint64_t *arg, long result)
{
	uint8_t kind = nr < sizeof(inputs) ? inputs[nr] : 0;

	if (!kind || (result < 0 && result != ERR(ENOENT)))
		return h;
	if (kind & (BYTES | IOV | MSG))
		return result > 0 ? sent(h, kind, arg, (uint64_t)result) : h;
	for (unsigned i = 0; i < 4; i++) {
		if (kind & PATH(i))
			h = path(h, arg[i]);
	}
	return h;
}
