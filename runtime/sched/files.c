/* Calls on files that do not block, but that change what other threads see: the numbers of
 * descriptors, the position in a file. */
/* The names with and without 64 are both needed; without this, one is made the other. */
#undef _FILE_OFFSET_BITS
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>
#include <unistd.h>

#include "sched/core.h"
#include "sched/io.h"
#include "sched/real.h"

static void point(uintptr_t pc)
{
	if (dh_scheduled(dh_self))
		dh_sched_point(DH_OP_IO, NULL, pc);
}

#define MODE(flags, last)                                                                          \
	mode_t mode = 0;                                                                           \
	va_list list;                                                                              \
                                                                                                   \
	va_start(list, last);                                                                      \
	if ((flags) & (O_CREAT | __O_TMPFILE))                                                     \
		mode = va_arg(list, mode_t);                                                       \
	va_end(list)

DH_EXPORT int open(const char *path, int flags, ...)
{
	MODE(flags, flags);
	point(DH_CALLER());
	return dh_real()->open(path, flags, mode);
}

DH_EXPORT int openat(int dir, const char *path, int flags, ...)
{
	MODE(flags, flags);
	point(DH_CALLER());
	return dh_real()->openat(dir, path, flags, mode);
}

DH_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
	point(DH_CALLER());
	return dh_real()->lseek(fd, offset, whence);
}

DH_EXPORT int dup(int fd)
{
	point(DH_CALLER());
	return dh_real()->dup(fd);
}

DH_EXPORT int dup2(int fd, int to)
{
	point(DH_CALLER());
	return dh_real()->dup2(fd, to);
}

DH_EXPORT int ftruncate(int fd, off_t size)
{
	point(DH_CALLER());
	return dh_real()->ftruncate(fd, size);
}

static int paired(int r, const int fds[2])
{
	if (r == 0 && dh_scheduled(dh_self))
		dh_io_pair(fds);
	return r;
}

DH_EXPORT int pipe(int fds[2])
{
	point(DH_CALLER());
	return paired(dh_real()->pipe(fds), fds);
}

DH_EXPORT int pipe2(int fds[2], int flags)
{
	point(DH_CALLER());
	return paired(dh_real()->pipe2(fds, flags), fds);
}

DH_EXPORT int socketpair(int domain, int type, int protocol, int fds[2])
{
	point(DH_CALLER());
	return paired(dh_real()->socketpair(domain, type, protocol, fds), fds);
}

DH_EXPORT __typeof__(open) open64 __attribute__((alias("open")));
DH_EXPORT __typeof__(openat) openat64 __attribute__((alias("openat")));
DH_EXPORT __typeof__(lseek) lseek64 __attribute__((alias("lseek")));
DH_EXPORT __typeof__(ftruncate) ftruncate64 __attribute__((alias("ftruncate")));
