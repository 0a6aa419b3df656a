#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static DH_NORETURN void out_of_memory(size_t size)
{
	fprintf(stderr, "deadheat: out of memory (wanted %zu bytes)\n", size);
	_Exit(3);
}

void *dh_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *dh_zalloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *dh_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory(size);
	return p;
}

void *dh_reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory(SIZE_MAX);
	return dh_realloc(p, bytes);
}

char *dh_strdup(const char *s)
{
	return dh_memdup(s, strlen(s) + 1);
}

char *dh_strndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = dh_alloc(len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

void *dh_memdup(const void *p, size_t n)
{
	void *q = dh_alloc(n);

	if (n)
		memcpy(q, p, n);
	return q;
}

char *dh_asprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory(0);
	va_end(ap);
	return s;
}

void dh_freep(void *pp)
{
	free(*(void **)pp);
}

#define LARGE_PAGE ((uintptr_t)2 << 20)

void dh_expect_scattered(void *p, size_t size)
{
	uintptr_t first = ((uintptr_t)p + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
	uintptr_t end = ((uintptr_t)p + size) & ~(LARGE_PAGE - 1);

	if (end > first)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
}
