/* The allocation functions that the program sees.  In a run they lead to heap.c; otherwise, and
 * before the runtime is ready, to the C library.  A block goes back to where it came from. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "sched/next.h"
#include "sched/heap.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *p);

#define PAGE 4096u

static void *allocate(size_t size, size_t align, bool zero, uintptr_t pc)
{
	void *p;

	if (!dh_heap_ready())
		return zero         ? __libc_calloc(1, size)
		       : align > 16 ? __libc_memalign(align, size)
				    : __libc_malloc(size);
	p = dh_heap_alloc(size, align, zero, pc);
	if (!p)
		errno = ENOMEM;
	return p;
}

static void release(void *p, uintptr_t pc)
{
	int saved = errno;

	if (!p)
		return;
	if (dh_heap_has(p))
		dh_heap_free(p, pc);
	else
		__libc_free(p);
	errno = saved;
}

static size_t usable(void *p)
{
	size_t (*next)(void *);

	if (!p)
		return 0;
	if (dh_heap_has(p))
		return dh_heap_block_size(p);
	next = dh_next("malloc_usable_size");
	return next ? next(p) : 0;
}

static void *reallocate(void *p, size_t size, uintptr_t pc)
{
	size_t old;
	void *q;

	if (!p)
		return allocate(size, 16, false, pc);
	if (!dh_heap_has(p) && !dh_heap_ready())
		return __libc_realloc(p, size);
	if (!size) {
		release(p, pc);
		return NULL;
	}
	if (dh_heap_has(p) && dh_heap_resize(p, size))
		return p;
	old = usable(p);
	q = allocate(size, 16, false, pc);
	if (!q)
		return NULL;
	for (size_t n = old < size ? old : size, i = 0; i < n; i++)
		((volatile char *)q)[i] = ((char *)p)[i];
	release(p, pc);
	return q;
}

static bool power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

DH_EXPORT void *malloc(size_t size)
{
	return allocate(size, 16, false, DH_CALLER());
}

DH_EXPORT void *calloc(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(bytes, 16, true, DH_CALLER());
}

DH_EXPORT void *realloc(void *p, size_t size)
{
	return reallocate(p, size, DH_CALLER());
}

DH_EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return reallocate(p, bytes, DH_CALLER());
}

DH_EXPORT void free(void *p)
{
	release(p, DH_CALLER());
}

void cfree(void *p);
DH_EXPORT void cfree(void *p)
{
	release(p, DH_CALLER());
}

DH_EXPORT void *memalign(size_t align, size_t size)
{
	if (!power_of_two(align)) {
		errno = EINVAL;
		return NULL;
	}
	return allocate(size, align, false, DH_CALLER());
}

DH_EXPORT void *aligned_alloc(size_t align, size_t size)
{
	if (!power_of_two(align)) {
		errno = EINVAL;
		return NULL;
	}
	return allocate(size, align, false, DH_CALLER());
}

DH_EXPORT int posix_memalign(void **ret, size_t align, size_t size)
{
	int saved = errno;
	void *p;

	if (!power_of_two(align) || align % sizeof(void *))
		return EINVAL;
	p = allocate(size, align, false, DH_CALLER());
	errno = saved;
	if (!p)
		return ENOMEM;
	*ret = p;
	return 0;
}

DH_EXPORT void *valloc(size_t size)
{
	return allocate(size, PAGE, false, DH_CALLER());
}

DH_EXPORT void *pvalloc(size_t size)
{
	return allocate((size + PAGE - 1) & ~(size_t)(PAGE - 1), PAGE, false, DH_CALLER());
}

DH_EXPORT size_t malloc_usable_size(void *p)
{
	return usable(p);
}

/* Operators of C++, so that the statement is the program's and not the C++ library's.  When there
 * is no memory that library's own is asked once more: it knows how to throw. */
#define OPERATOR_NEW(name, align_parameter, align, nothrow_parameter)                              \
	void *name(size_t size align_parameter nothrow_parameter);                                 \
	DH_EXPORT void *name(size_t size align_parameter nothrow_parameter)                        \
	{                                                                                          \
		void *p = allocate(size, align, false, DH_CALLER());                               \
		return p ? p : dh_heap_no_memory(#name, size);                                     \
	}
#define COMMA ,

static void *dh_heap_no_memory(const char *name, size_t size)
{
	void *(*next)(size_t, size_t, void *) = dh_next(name);

	return next ? next(size, 16, NULL) : NULL;
}

OPERATOR_NEW(_Znwm, , 16, )
OPERATOR_NEW(_Znam, , 16, )
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, , 16, COMMA const void *nothrow)
OPERATOR_NEW(_ZnamRKSt9nothrow_t, , 16, COMMA const void *nothrow)
OPERATOR_NEW(_ZnwmSt11align_val_t, COMMA size_t align, align, )
OPERATOR_NEW(_ZnamSt11align_val_t, COMMA size_t align, align, )
OPERATOR_NEW(
	_ZnwmSt11align_val_tRKSt9nothrow_t, COMMA size_t align, align, COMMA const void *nothrow)
OPERATOR_NEW(
	_ZnamSt11align_val_tRKSt9nothrow_t, COMMA size_t align, align, COMMA const void *nothrow)

#define OPERATOR_DELETE(name, more)                                                                \
	void name(void *p more);                                                                   \
	DH_EXPORT void name(void *p more)                                                          \
	{                                                                                          \
		release(p, DH_CALLER());                                                           \
	}

OPERATOR_DELETE(_ZdlPv, )
OPERATOR_DELETE(_ZdaPv, )
OPERATOR_DELETE(_ZdlPvm, COMMA size_t size)
OPERATOR_DELETE(_ZdaPvm, COMMA size_t size)
OPERATOR_DELETE(_ZdlPvRKSt9nothrow_t, COMMA const void *nothrow)
OPERATOR_DELETE(_ZdaPvRKSt9nothrow_t, COMMA const void *nothrow)
OPERATOR_DELETE(_ZdlPvSt11align_val_t, COMMA size_t align)
OPERATOR_DELETE(_ZdaPvSt11align_val_t, COMMA size_t align)
OPERATOR_DELETE(_ZdlPvmSt11align_val_t, COMMA size_t size COMMA size_t align)
OPERATOR_DELETE(_ZdaPvmSt11align_val_t, COMMA size_t size COMMA size_t align)
OPERATOR_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, COMMA size_t align COMMA const void *nothrow)
OPERATOR_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, COMMA size_t align COMMA const void *nothrow)
