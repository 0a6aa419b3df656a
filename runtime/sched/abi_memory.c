/* Mappings: address space that is unmapped, or mapped over, has no past. */
#undef _FILE_OFFSET_BITS /* mmap and mmap64 are two names here */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "common/syscall.h"
#include "sched/detector.h"

static void changed(const void *start, size_t size)
{
	if (!dh_self || dh_self->inside || !size)
		return;
	dh_memory_fresh((uintptr_t)start, size);
	dh_stack_reused((uintptr_t)start, (uintptr_t)start + size);
	dh_object_memory_gone(start, size);
}

static void *result(long r)
{
	if (r < 0 && r > -4096) {
		errno = (int)-r;
		return MAP_FAILED;
	}
	return (void *)r;
}

static void *map(void *start, size_t size, int prot, int flags, int fd, off_t offset)
{
	void *p = result(rt_syscall6(SYS_mmap, start, size, prot, flags, fd, offset));

	if (p != MAP_FAILED)
		changed(p, size);
	return p;
}

DH_EXPORT void *mmap(void *start, size_t size, int prot, int flags, int fd, off_t offset)
{
	return map(start, size, prot, flags, fd, offset);
}

DH_EXPORT void *mmap64(void *start, size_t size, int prot, int flags, int fd, off64_t offset)
{
	return map(start, size, prot, flags, fd, offset);
}

DH_EXPORT int munmap(void *start, size_t size)
{
	changed(start, size);
	return result(rt_syscall2(SYS_munmap, start, size)) == MAP_FAILED ? -1 : 0;
}

DH_EXPORT void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
	void *start = NULL, *p;
	va_list more;

	va_start(more, flags);
	if (flags & MREMAP_FIXED)
		start = va_arg(more, void *);
	va_end(more);
	p = result(rt_syscall6(SYS_mremap, old, old_size, size, flags, start, 0));
	if (p != MAP_FAILED && p != old) {
		changed(old, old_size);
		changed(p, size);
	}
	return p;
}
