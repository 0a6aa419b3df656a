/* Functions of the C library that make strings: copies, concatenations, formatted text, input. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/next.h"
#include "sched/touch.h"

static void look(const void *p, size_t size, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_watched_self();

	if (!self || !size)
		return;
	dh_sched_access(self, pc, p, size, access);
	if (dh_look != DH_LOOK_NOT)
		dh_range(self, (uintptr_t)p, size, access, pc);
}

static size_t length(const char *s)
{
	static __typeof__(&strlen) real;

	if (!real)
		real = dh_next("strlen");
	return real(s);
}

static size_t length_up_to(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

#define REAL(name)                                                                                 \
	static __typeof__(&name) real;                                                             \
                                                                                                   \
	if (dh_unlikely(!real))                                                                    \
	real = dh_next(#name)

static void copied(char *to, const char *from, size_t n, uintptr_t pc)
{
	look(from, n, 0, pc);
	look(to, n, DH_SCHED_WRITE, pc);
}

DH_EXPORT char *strcpy(char *to, const char *from)
{
	REAL(strcpy);
	copied(to, from, length(from) + 1, DH_CALLER());
	return real(to, from);
}

DH_EXPORT char *stpcpy(char *to, const char *from)
{
	REAL(stpcpy);
	copied(to, from, length(from) + 1, DH_CALLER());
	return real(to, from);
}

/* Fills up with zeros what is left of n. */
DH_EXPORT char *strncpy(char *to, const char *from, size_t n)
{
	size_t used = length_up_to(from, n);

	REAL(strncpy);
	look(from, used < n ? used + 1 : n, 0, DH_CALLER());
	look(to, n, DH_SCHED_WRITE, DH_CALLER());
	return real(to, from, n);
}

DH_EXPORT char *strcat(char *to, const char *from)
{
	size_t old = length(to);

	REAL(strcat);
	look(to, old + 1, 0, DH_CALLER());
	copied(to + old, from, length(from) + 1, DH_CALLER());
	return real(to, from);
}

DH_EXPORT char *strncat(char *to, const char *from, size_t n)
{
	size_t old = length(to), used = length_up_to(from, n);

	REAL(strncat);
	look(to, old + 1, 0, DH_CALLER());
	look(from, used < n ? used + 1 : n, 0, DH_CALLER());
	look(to + old, used + 1, DH_SCHED_WRITE, DH_CALLER());
	return real(to, from, n);
}

char *__strcpy_chk(char *to, const char *from, size_t room);
DH_EXPORT char *__strcpy_chk(char *to, const char *from, size_t room)
{
	REAL(__strcpy_chk);
	copied(to, from, length(from) + 1, DH_CALLER());
	return real(to, from, room);
}

char *__strcat_chk(char *to, const char *from, size_t room);
DH_EXPORT char *__strcat_chk(char *to, const char *from, size_t room)
{
	size_t old = length(to);

	REAL(__strcat_chk);
	look(to, old + 1, 0, DH_CALLER());
	copied(to + old, from, length(from) + 1, DH_CALLER());
	return real(to, from, room);
}

/* malloc() by hand: the statement is the program's, not one of the C library. */
static char *duplicate(const char *s, size_t n, uintptr_t pc)
{
	char *copy = dh_heap_ready() ? dh_heap_alloc(n + 1, 16, false, pc) : malloc(n + 1);

	if (!copy)
		return NULL;
	for (size_t i = 0; i < n; i++)
		((volatile char *)copy)[i] = s[i];
	copy[n] = 0;
	return copy;
}

#undef strdup
DH_EXPORT char *strdup(const char *s)
{
	size_t n = length(s);

	look(s, n + 1, 0, DH_CALLER());
	return duplicate(s, n, DH_CALLER());
}

#undef strndup
DH_EXPORT char *strndup(const char *s, size_t max)
{
	size_t n = length_up_to(s, max);

	look(s, n < max ? n + 1 : n, 0, DH_CALLER());
	return duplicate(s, n, DH_CALLER());
}

/* Formatted text is written as far as there is room. */
static int formatted(char *to, size_t room, int n, uintptr_t pc)
{
	if (n >= 0 && room)
		look(to, (size_t)n < room ? (size_t)n + 1 : room, DH_SCHED_WRITE, pc);
	return n;
}

static int format(char *to, size_t room, const char *words, va_list arguments, uintptr_t pc)
{
	REAL(vsnprintf);
	return formatted(to, room, real(to, room, words, arguments), pc);
}

DH_EXPORT int vsnprintf(char *to, size_t room, const char *words, va_list arguments)
{
	return format(to, room, words, arguments, DH_CALLER());
}

DH_EXPORT int vsprintf(char *to, const char *words, va_list arguments)
{
	REAL(vsprintf);
	return formatted(to, SIZE_MAX, real(to, words, arguments), DH_CALLER());
}

DH_EXPORT int snprintf(char *to, size_t room, const char *words, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, words);
	n = format(to, room, words, arguments, DH_CALLER());
	va_end(arguments);
	return n;
}

DH_EXPORT int sprintf(char *to, const char *words, ...)
{
	static __typeof__(&vsprintf) real;
	va_list arguments;
	int n;

	if (!real)
		real = dh_next("vsprintf");
	va_start(arguments, words);
	n = real(to, words, arguments);
	va_end(arguments);
	return formatted(to, SIZE_MAX, n, DH_CALLER());
}

DH_EXPORT char *fgets(char *to, int room, FILE *file)
{
	char *line;

	REAL(fgets);
	line = real(to, room, file);
	if (line)
		look(to, length(to) + 1, DH_SCHED_WRITE, DH_CALLER());
	return line;
}

DH_EXPORT size_t fread(void *to, size_t size, size_t count, FILE *file)
{
	size_t n;

	REAL(fread);
	n = real(to, size, count, file);
	look(to, n * size, DH_SCHED_WRITE, DH_CALLER());
	return n;
}

DH_EXPORT size_t fwrite(const void *from, size_t size, size_t count, FILE *file)
{
	REAL(fwrite);
	look(from, size * count, 0, DH_CALLER());
	return real(from, size, count, file);
}

DH_EXPORT int fputs(const char *s, FILE *file)
{
	REAL(fputs);
	look(s, length(s) + 1, 0, DH_CALLER());
	return real(s, file);
}

DH_EXPORT int puts(const char *s)
{
	REAL(puts);
	look(s, length(s) + 1, 0, DH_CALLER());
	return real(s);
}

/* The comparisons see the elements one by one; what is moved is the whole array. */
DH_EXPORT void qsort(
	void *base, size_t count, size_t size, int (*order)(const void *, const void *))
{
	REAL(qsort);
	look(base, count * size, DH_SCHED_WRITE | DH_SCHED_RMW, DH_CALLER());
	real(base, count, size, order);
}
