/* Memory, and limits on it: what concerns the process alone. */
#include "buffer.h"

#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/resource.h>

#define ORDER     ((const struct dh_order *)DH_AREA_ORDER)
#define ERROR_MAX 4095

static uint64_t ns(uint64_t s, uint64_t rest)
{
	return s * 1000000000u + rest;
}

/* The number of a file that the recording has as it is now, or 0. */
static uint64_t known_file(uint64_t fd)
{
	const struct dh_known_file *f = ORDER->files;
	uint32_t n = __atomic_load_n(&ORDER->n_files, __ATOMIC_ACQUIRE);
	struct stat st;

	if (dh_raw2(__NR_fstat, fd, &st) < 0)
		return 0;
	for (uint32_t i = 0; i < n && i < DH_ORDER_FILES; i++) {
		if (f[i].ino == st.st_ino && f[i].dev == st.st_dev &&
			f[i].size == (uint64_t)st.st_size &&
			f[i].mtime_ns == ns(st.st_mtime, st.st_mtime_nsec) &&
			f[i].ctime_ns == ns(st.st_ctime, st.st_ctime_nsec))
			return f[i].id;
	}
	return 0;
}

/* Code, and what the program could change through the descriptor, is the tracer's to see. */
static uint64_t file_of(const struct dh_call *c)
{
	uint64_t fd = c->arg[4];
	long flags;

	if (!AREA->describes || (c->arg[2] & PROT_EXEC) || dh_fd_class(fd) != DH_BUFFER_FD_FILE)
		return 0;
	flags = dh_raw3(__NR_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && (flags & O_ACCMODE) == O_RDONLY ? known_file(fd) : 0;
}

static bool fails(long r)
{
	return r < 0 && r >= -ERROR_MAX;
}

/* Memory of its own: zeros, or a file that the recording has.  What is shared is not. */
long dh_mmap(struct dh_call *c)
{
	const uint64_t known = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_FIXED_NOREPLACE |
			       MAP_NORESERVE | MAP_STACK | MAP_DENYWRITE;
	uint64_t flags = c->arg[3], file = 0;
	long r;

	if ((flags & ~known) || !(flags & MAP_PRIVATE) || !dh_ring_room(0))
		return DH_LEAVE;
	if (!(flags & MAP_ANONYMOUS)) {
		file = file_of(c);
		if (!file)
			return DH_LEAVE;
	} else if ((int)c->arg[4] >= 0) {
		return DH_LEAVE;
	}
	r = dh_raw(__NR_mmap, c->arg[0], c->arg[1], c->arg[2], flags, c->arg[4], c->arg[5]);
	if (file && !fails(r))
		dh_ring_file(c, file);
	return r;
}

long dh_mmap_again(const uint64_t *arg, long result, uint64_t file)
{
	if (fails(result))
		return result;
	if (file) {
		dh_buffer_stop(DH_BUFFER_STOP_MAP, file, (uint64_t)result, 0);
		return result;
	}
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
