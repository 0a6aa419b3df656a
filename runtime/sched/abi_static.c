/* Functions of the C library that keep something in a variable of their own from one call to the
 * next, or return its address.  To the detector, a call writes that variable. */
#include <string.h>
#include <time.h>

#include "sched/next.h"
#include "sched/touch.h"

#define ASCTIME_SIZE 26

static char strtok_place; /* stands for the library's, whose address nobody gets */

static void writes(const void *p, size_t size, uintptr_t pc)
{
	struct dh_thread *self = dh_watched_self();

	if (!self)
		return;
	dh_sched_access(self, pc, p, size, DH_SCHED_WRITE);
	if (dh_look != DH_LOOK_NOT)
		dh_range(self, (uintptr_t)p, size, DH_SCHED_WRITE, pc);
}

DH_EXPORT char *strtok(char *restrict s, const char *restrict delimiters)
{
	static __typeof__(&strtok) real;

	if (!real)
		real = dh_next("strtok");
	writes(&strtok_place, 1, DH_CALLER());
	return real(s, delimiters);
}

/* The library has one for all of these; a call that nobody waits for tells where. */
static const struct tm *tm_buffer(struct tm *(*real)(const time_t *))
{
	static const struct tm *buffer;
	const time_t zero = 0;

	if (!buffer)
		buffer = real(&zero);
	return buffer;
}

#define TIME(name)                                                                                 \
	DH_EXPORT struct tm *name(const time_t *t)                                                 \
	{                                                                                          \
		static __typeof__(&name) real;                                                     \
                                                                                                   \
		if (!real)                                                                         \
			real = dh_next(#name);                                                     \
		writes(tm_buffer(real), sizeof(struct tm), DH_CALLER());                           \
		return real(t);                                                                    \
	}

TIME(localtime)
TIME(gmtime)

DH_EXPORT char *asctime(const struct tm *tm)
{
	static __typeof__(&asctime) real;
	static const char *buffer;

	if (!real)
		real = dh_next("asctime");
	if (!buffer)
		buffer = real(tm);
	if (buffer)
		writes(buffer, ASCTIME_SIZE, DH_CALLER());
	return real(tm);
}
