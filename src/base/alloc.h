/* Allocation that does not fail.  Deadheat is a tool, not a library in somebody's process:
 * when memory for its own bookkeeping is gone there is nothing sensible left to do, so these
 * functions print one line and exit with status 3.  Sizes that come from a file or from another
 * process must be bounded before they get here.  Injected code never uses this. */
#pragma once
#include "base/forward.h"

void *dh_alloc(size_t size) __attribute__((malloc, returns_nonnull));
void *dh_zalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *dh_realloc(void *p, size_t size) __attribute__((returns_nonnull));
/* n * size with overflow check. */
void *dh_reallocarray(void *p, size_t n, size_t size) __attribute__((returns_nonnull));
char *dh_strdup(const char *s) __attribute__((malloc, returns_nonnull));
char *dh_strndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));
void *dh_memdup(const void *p, size_t n) __attribute__((malloc, returns_nonnull));
char *dh_asprintf(const char *fmt, ...) DH_PRINTF(1, 2) __attribute__((returns_nonnull));

/* The block is large and used here and there: large pages save faults and misses.  Only a hint;
 * small blocks stay as they are. */
void dh_expect_scattered(void *p, size_t size);

#define dh_new(type)      ((type *)dh_zalloc(sizeof(type)))
#define dh_new_n(type, n) ((type *)dh_reallocarray(NULL, (n), sizeof(type)))

/* For DH_CLEANUP on a pointer variable. */
void dh_freep(void *pp);
#define DH_FREE DH_CLEANUP(dh_freep)

/* Where every access to memory is checked, arrays move with almost every element: who keeps a
 * pointer into one is found out. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DH_GROWN(cap) ((cap) + 1 + (cap) / 256)
#endif
#endif
#ifndef DH_GROWN
#define DH_GROWN(cap) ((cap) ? (cap)*2 : 16)
#endif

/* Grows an array for one more element: keeps p, n and cap in step. */
#define DH_GROW(p, n, cap)                                                                         \
	do {                                                                                       \
		if ((n) == (cap)) {                                                                \
			(cap) = DH_GROWN(cap);                                                     \
			(p) = dh_reallocarray((p), (cap), sizeof(*(p)));                           \
		}                                                                                  \
	} while (0)
