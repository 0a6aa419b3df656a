/* Functions of the C library that read and write memory on behalf of the program.  The statement is
 * the call.  They do their work through the C library's own; before that is known, which is only
 * while the program is being loaded, the few that the loader needs do it here. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/next.h"
#include "sched/touch.h"

/* The C library's own, from the moment that this library is started. */
static struct {
	void *(*copy)(void *, const void *, size_t);
	void *(*move)(void *, const void *, size_t);
	void *(*set)(void *, int, size_t);
	size_t (*length)(const char *);
} fast;

/* The compiler calls memcpy() and memset() in this library too: its code begins at __ehdr_start,
 * and its variables stand behind it. */
extern const char __ehdr_start[] DH_HIDDEN;

static bool ours(uintptr_t pc)
{
	return pc - (uintptr_t)__ehdr_start < (uintptr_t)&fast - (uintptr_t)__ehdr_start;
}

static void look(const void *p, size_t size, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_watched_self();

	if (!self || !size || ours(pc))
		return;
	dh_sched_access(self, pc, p, size, access);
	if (dh_look != DH_LOOK_NOT)
		dh_range(self, (uintptr_t)p, size, access, pc);
}

static void reads(const void *p, size_t size, uintptr_t pc)
{
	look(p, size, 0, pc);
}

static void writes(const void *p, size_t size, uintptr_t pc)
{
	look(p, size, DH_SCHED_WRITE, pc);
}

/* The next definition of each, found once. */
#define REAL(name)                                                                                 \
	static __typeof__(&name) real;                                                             \
                                                                                                   \
	if (dh_unlikely(!real))                                                                    \
	real = dh_next(#name)

static void *copy_up(void *to, const void *from, size_t n)
{
	void *start = to;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	return start;
}

static void *copy_down(void *to, const void *from, size_t n)
{
	char *t = (char *)to + n - 1;
	const char *f = (const char *)from + n - 1;

	__asm__ volatile("std; rep movsb; cld" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
	return to;
}

static void *fill(void *to, int byte, size_t n)
{
	void *start = to;

	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(byte) : "memory");
	return start;
}

__attribute__((constructor(101))) static void find_fast(void)
{
	fast.copy = dh_next("memcpy");
	fast.move = dh_next("memmove");
	fast.set = dh_next("memset");
	fast.length = dh_next("strlen");
}

static void *do_copy(void *to, const void *from, size_t n)
{
	return dh_likely(fast.copy != NULL) ? fast.copy(to, from, n) : copy_up(to, from, n);
}

static void *do_move(void *to, const void *from, size_t n)
{
	if (dh_likely(fast.move != NULL))
		return fast.move(to, from, n);
	return (uintptr_t)to - (uintptr_t)from < n ? copy_down(to, from, n) : copy_up(to, from, n);
}

static void *do_set(void *to, int byte, size_t n)
{
	return dh_likely(fast.set != NULL) ? fast.set(to, byte, n) : fill(to, byte, n);
}

static size_t length(const char *s)
{
	size_t n = 0;

	if (dh_likely(fast.length != NULL))
		return fast.length(s);
	while (s[n])
		n++;
	return n;
}

#define COPY(name, work)                                                                           \
	void *name(void *to, const void *from, size_t n);                                          \
	DH_EXPORT void *name(void *to, const void *from, size_t n)                                 \
	{                                                                                          \
		reads(from, n, DH_CALLER());                                                       \
		writes(to, n, DH_CALLER());                                                        \
		return work(to, from, n);                                                          \
	}
#define COPY_CHK(name, work)                                                                       \
	void *name(void *to, const void *from, size_t n, size_t room);                             \
	DH_EXPORT void *name(void *to, const void *from, size_t n, size_t room)                    \
	{                                                                                          \
		REAL(name);                                                                        \
		reads(from, n, DH_CALLER());                                                       \
		writes(to, n, DH_CALLER());                                                        \
		return n > room ? real(to, from, n, room) : work(to, from, n);                     \
	}

COPY(memcpy, do_copy)
COPY(memmove, do_move)
COPY(__tsan_memcpy, do_copy)
COPY(__tsan_memmove, do_move)
COPY_CHK(__memcpy_chk, do_copy)
COPY_CHK(__memmove_chk, do_move)

DH_EXPORT void *mempcpy(void *to, const void *from, size_t n)
{
	reads(from, n, DH_CALLER());
	writes(to, n, DH_CALLER());
	return (char *)do_copy(to, from, n) + n;
}

DH_EXPORT void *memset(void *to, int byte, size_t n)
{
	writes(to, n, DH_CALLER());
	return do_set(to, byte, n);
}

void *__tsan_memset(void *to, int byte, size_t n);
DH_EXPORT void *__tsan_memset(void *to, int byte, size_t n)
{
	writes(to, n, DH_CALLER());
	return do_set(to, byte, n);
}

void *__memset_chk(void *to, int byte, size_t n, size_t room);
DH_EXPORT void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
	REAL(__memset_chk);
	writes(to, n, DH_CALLER());
	return n > room ? real(to, byte, n, room) : do_set(to, byte, n);
}

DH_EXPORT void bzero(void *to, size_t n)
{
	writes(to, n, DH_CALLER());
	do_set(to, 0, n);
}

#define COMPARE(name)                                                                              \
	DH_EXPORT int name(const void *a, const void *b, size_t n)                                 \
	{                                                                                          \
		REAL(name);                                                                        \
		reads(a, n, DH_CALLER());                                                          \
		reads(b, n, DH_CALLER());                                                          \
		return real(a, b, n);                                                              \
	}

COMPARE(memcmp)
COMPARE(bcmp)

/* Up to the byte that was found, or to the end. */
static void scanned(const void *p, const void *found, size_t n, uintptr_t pc)
{
	reads(p, found ? (size_t)((const char *)found - (const char *)p) + 1 : n, pc);
}

DH_EXPORT void *memchr(const void *p, int byte, size_t n)
{
	void *found;

	REAL(memchr);
	found = real(p, byte, n);
	scanned(p, found, n, DH_CALLER());
	return found;
}

DH_EXPORT void *memrchr(const void *p, int byte, size_t n)
{
	REAL(memrchr);
	reads(p, n, DH_CALLER());
	return real(p, byte, n);
}

DH_EXPORT void *memmem(const void *p, size_t n, const void *what, size_t m)
{
	REAL(memmem);
	reads(p, n, DH_CALLER());
	reads(what, m, DH_CALLER());
	return real(p, n, what, m);
}

DH_EXPORT size_t strlen(const char *s)
{
	size_t n = length(s);

	reads(s, n + 1, DH_CALLER());
	return n;
}

DH_EXPORT size_t strnlen(const char *s, size_t max)
{
	size_t n;

	REAL(strnlen);
	n = real(s, max);
	reads(s, n < max ? n + 1 : n, DH_CALLER());
	return n;
}

/* The bytes that decide a comparison of strings. */
static size_t common(const char *a, const char *b, size_t max)
{
	size_t n = 0;

	while (n < max && a[n] && a[n] == b[n])
		n++;
	return n < max ? n + 1 : n;
}

static void compared(const char *a, const char *b, size_t max, uintptr_t pc)
{
	size_t n;

	if (!dh_watched_self() || ours(pc))
		return;
	n = common(a, b, max);
	reads(a, n, pc);
	reads(b, n, pc);
}

#define COMPARE_STRINGS(name)                                                                      \
	DH_EXPORT int name(const char *a, const char *b)                                           \
	{                                                                                          \
		REAL(name);                                                                        \
		compared(a, b, SIZE_MAX, DH_CALLER());                                             \
		return real(a, b);                                                                 \
	}
#define COMPARE_STRINGS_N(name)                                                                    \
	DH_EXPORT int name(const char *a, const char *b, size_t n)                                 \
	{                                                                                          \
		REAL(name);                                                                        \
		compared(a, b, n, DH_CALLER());                                                    \
		return real(a, b, n);                                                              \
	}

COMPARE_STRINGS(strcmp)
COMPARE_STRINGS(strcasecmp)
COMPARE_STRINGS_N(strncmp)
COMPARE_STRINGS_N(strncasecmp)

#define FIND_CHARACTER(name)                                                                       \
	DH_EXPORT char *name(const char *s, int c)                                                 \
	{                                                                                          \
		REAL(name);                                                                        \
		reads(s, length(s) + 1, DH_CALLER());                                              \
		return real(s, c);                                                                 \
	}

FIND_CHARACTER(strchr)
FIND_CHARACTER(strrchr)
FIND_CHARACTER(strchrnul)

#define FIND_STRING(type, name)                                                                    \
	DH_EXPORT type name(const char *s, const char *what)                                       \
	{                                                                                          \
		REAL(name);                                                                        \
		reads(s, length(s) + 1, DH_CALLER());                                              \
		reads(what, length(what) + 1, DH_CALLER());                                        \
		return real(s, what);                                                              \
	}

FIND_STRING(char *, strstr)
FIND_STRING(char *, strcasestr)
FIND_STRING(char *, strpbrk)
FIND_STRING(size_t, strspn)
FIND_STRING(size_t, strcspn)
