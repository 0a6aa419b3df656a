/* Deadheat: annotations and controls for programs that want to speak to it.
 *
 * Include this and use the macros; nothing has to be linked.  Every function here is a weak symbol:
 * when no runtime of Deadheat (or ThreadSanitizer, for the Annotate functions) is loaded, a macro
 * is one test of an address.  Define DEADHEAT_DISABLE to compile all of them to nothing.
 *
 * C99 and later, C++98 and later. */
#ifndef DEADHEAT_H
#define DEADHEAT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEADHEAT_WEAK __attribute__((weak))

/* The names and arguments that race detectors have in common. */
void AnnotateHappensBefore(const char *file, int line, const volatile void *addr) DEADHEAT_WEAK;
void AnnotateHappensAfter(const char *file, int line, const volatile void *addr) DEADHEAT_WEAK;
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *addr, size_t size,
	const char *description) DEADHEAT_WEAK;

/* The name of the runtime that is loaded ("sched", "sample"). */
const char *deadheat_runtime(void) DEADHEAT_WEAK;
/* The program found itself in a wrong state: the run counts as failed, with these words. */
void deadheat_fail(const char *file, int line, const char *what) DEADHEAT_WEAK;
/* Accesses of this thread between the two are not looked at; they nest. */
void deadheat_ignore_begin(void) DEADHEAT_WEAK;
void deadheat_ignore_end(void) DEADHEAT_WEAK;

#ifdef __cplusplus
}
#endif

/* The address of a function that may be absent.  Read from the global offset table: a program that
 * is linked to fixed addresses would otherwise have "absent" decided when it is linked, and a
 * runtime that is loaded later would never be seen. */
#if defined(__x86_64__) && !defined(__ILP32__)
#define DEADHEAT_LOAD(name, p)                                                                     \
	__asm__(".weak " #name "\n\tmovq " #name "@GOTPCREL(%%rip), %0" : "=r"(p))
#else
#define DEADHEAT_LOAD(name, p) ((p) = name)
#endif
#define DEADHEAT_FINDER(name)                                                                      \
	static __inline__ __typeof__(&name) deadheat_find_##name(void)                             \
	{                                                                                          \
		__typeof__(&name) p;                                                               \
		DEADHEAT_LOAD(name, p);                                                            \
		return p;                                                                          \
	}
DEADHEAT_FINDER(AnnotateHappensBefore)
DEADHEAT_FINDER(AnnotateHappensAfter)
DEADHEAT_FINDER(AnnotateBenignRaceSized)
DEADHEAT_FINDER(deadheat_runtime)
DEADHEAT_FINDER(deadheat_fail)
DEADHEAT_FINDER(deadheat_ignore_begin)
DEADHEAT_FINDER(deadheat_ignore_end)

#ifdef DEADHEAT_DISABLE
#define DEADHEAT_CALL(name, arguments) ((void)(0 && (name arguments, 0)))
#define DEADHEAT_RUNTIME()             ((const char *)0)
#else
#define DEADHEAT_CALL(name, arguments)                                                             \
	(deadheat_find_##name() ? deadheat_find_##name() arguments : (void)0)
/* NULL when no runtime is loaded. */
#define DEADHEAT_RUNTIME()                                                                         \
	(deadheat_find_deadheat_runtime() ? deadheat_find_deadheat_runtime()() : (const char *)0)
#endif

/* What this thread did before BEFORE(x) happens before what another does behind its AFTER(x). */
#ifndef ANNOTATE_HAPPENS_BEFORE
#define ANNOTATE_HAPPENS_BEFORE(addr)                                                              \
	DEADHEAT_CALL(AnnotateHappensBefore, (__FILE__, __LINE__, (addr)))
#endif
#ifndef ANNOTATE_HAPPENS_AFTER
#define ANNOTATE_HAPPENS_AFTER(addr)                                                               \
	DEADHEAT_CALL(AnnotateHappensAfter, (__FILE__, __LINE__, (addr)))
#endif
/* A race on this object is meant to be there. */
#ifndef ANNOTATE_BENIGN_RACE_SIZED
#define ANNOTATE_BENIGN_RACE_SIZED(addr, size, description)                                        \
	DEADHEAT_CALL(AnnotateBenignRaceSized, (__FILE__, __LINE__, (addr), (size), (description)))
#endif
#ifndef ANNOTATE_BENIGN_RACE
#define ANNOTATE_BENIGN_RACE(addr, description)                                                    \
	ANNOTATE_BENIGN_RACE_SIZED(addr, sizeof(*(addr)), description)
#endif

#define DEADHEAT_FAIL(what)     DEADHEAT_CALL(deadheat_fail, (__FILE__, __LINE__, (what)))
#define DEADHEAT_IGNORE_BEGIN() DEADHEAT_CALL(deadheat_ignore_begin, ())
#define DEADHEAT_IGNORE_END()   DEADHEAT_CALL(deadheat_ignore_end, ())

#endif
