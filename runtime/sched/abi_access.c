/* Entry points of the compilers' thread instrumentation for plain accesses and calls: everything
 * that gcc 12 and clang 14 to 19 emit, except for atomics. */
#include "sched/touch.h"

/* In a section of their own: calls of these, and of nothing else, may be taken out (hot.c). */
#define ENTRY(name)                                                                                \
	void name(void *p);                                                                        \
	DH_EXPORT DH_ACCESS_ENTRY void name(void *p)
#define ENTRY_PC(name)                                                                             \
	void name(void *p, void *pc);                                                              \
	DH_EXPORT void name(void *p, void *pc)

#define ACCESS(name, log, split, access)                                                           \
	ENTRY(name)                                                                                \
	{                                                                                          \
		dh_plain(p, log, split, access, DH_CALLER());                                      \
	}
#define ACCESS_PC(name, log, access)                                                               \
	ENTRY_PC(name)                                                                             \
	{                                                                                          \
		dh_plain(p, log, false, access, (uintptr_t)pc);                                    \
	}

/* A volatile access is a plain one: volatile orders nothing between threads. */
#define SIZE(size, log)                                                                            \
	ACCESS(__tsan_read##size, log, false, 0)                                                   \
	ACCESS(__tsan_write##size, log, false, DH_SCHED_WRITE)                                     \
	ACCESS(__tsan_volatile_read##size, log, false, 0)                                          \
	ACCESS(__tsan_volatile_write##size, log, false, DH_SCHED_WRITE)                            \
	ACCESS(__tsan_unaligned_read##size, log, true, 0)                                          \
	ACCESS(__tsan_unaligned_write##size, log, true, DH_SCHED_WRITE)                            \
	ACCESS(__tsan_unaligned_volatile_read##size, log, true, 0)                                 \
	ACCESS(__tsan_unaligned_volatile_write##size, log, true, DH_SCHED_WRITE)                   \
	ACCESS(__tsan_read_write##size, log, false, DH_SCHED_WRITE | DH_SCHED_RMW)                 \
	ACCESS(__tsan_unaligned_read_write##size, log, true, DH_SCHED_WRITE | DH_SCHED_RMW)        \
	ACCESS_PC(__tsan_read##size##_pc, log, 0)                                                  \
	ACCESS_PC(__tsan_write##size##_pc, log, DH_SCHED_WRITE)

SIZE(1, 0)
SIZE(2, 1)
SIZE(4, 2)
SIZE(8, 3)
SIZE(16, 4)

/* Accesses that a program writes with its own functions for memory that is not aligned. */
#define UNALIGNED(bits, type, log)                                                                 \
	type __sanitizer_unaligned_load##bits(const void *p);                                      \
	DH_EXPORT type __sanitizer_unaligned_load##bits(const void *p)                             \
	{                                                                                          \
		type value;                                                                        \
                                                                                                   \
		dh_plain(p, log, true, 0, DH_CALLER());                                            \
		__builtin_memcpy(&value, p, sizeof value);                                         \
		return value;                                                                      \
	}                                                                                          \
	void __sanitizer_unaligned_store##bits(void *p, type value);                               \
	DH_EXPORT void __sanitizer_unaligned_store##bits(void *p, type value)                      \
	{                                                                                          \
		dh_plain(p, log, true, DH_SCHED_WRITE, DH_CALLER());                               \
		__builtin_memcpy(p, &value, sizeof value);                                         \
	}

UNALIGNED(16, uint16_t, 1)
UNALIGNED(32, uint32_t, 2)
UNALIGNED(64, uint64_t, 3)

static void range(const void *p, size_t size, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_watched_self();

	if (!self || !size)
		return;
	dh_sched_access(self, pc, p, size, access);
	dh_range(self, (uintptr_t)p, size, access, pc);
}

void __tsan_read_range(void *p, size_t size);
DH_EXPORT void __tsan_read_range(void *p, size_t size)
{
	range(p, size, 0, DH_CALLER());
}

void __tsan_write_range(void *p, size_t size);
DH_EXPORT void __tsan_write_range(void *p, size_t size)
{
	range(p, size, DH_SCHED_WRITE, DH_CALLER());
}

void __tsan_read_range_pc(void *p, size_t size, void *pc);
DH_EXPORT void __tsan_read_range_pc(void *p, size_t size, void *pc)
{
	range(p, size, 0, (uintptr_t)pc);
}

void __tsan_write_range_pc(void *p, size_t size, void *pc);
DH_EXPORT void __tsan_write_range_pc(void *p, size_t size, void *pc)
{
	range(p, size, DH_SCHED_WRITE, (uintptr_t)pc);
}

/* A constructor or destructor sets the pointer to the table of virtual functions; setting it to
 * what it is already is no event for others. */
void __tsan_vptr_update(void **p, void *value);
DH_EXPORT void __tsan_vptr_update(void **p, void *value)
{
	if (*p != value)
		dh_plain(p, 3, false, DH_SCHED_WRITE, DH_CALLER());
}

void __tsan_vptr_read(void **p);
DH_EXPORT void __tsan_vptr_read(void **p)
{
	dh_plain(p, 3, false, 0, DH_CALLER());
}

void __tsan_func_entry(void *pc);
DH_EXPORT void __tsan_func_entry(void *pc)
{
	struct dh_frames *f = &dh_frames;

	if (dh_unlikely(f->top == f->limit)) {
		if (f->base)
			f->beyond++;
		return;
	}
	f->top->pc = (uintptr_t)pc;
	f->top->sp = (uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *);
	f->top++;
}

void __tsan_func_exit(void);
DH_EXPORT void __tsan_func_exit(void)
{
	struct dh_frames *f = &dh_frames;

	if (dh_unlikely(f->beyond))
		f->beyond--;
	else if (dh_likely(f->top > f->base))
		f->top--;
}

void __tsan_ignore_thread_begin(void);
DH_EXPORT void __tsan_ignore_thread_begin(void)
{
	if (dh_self)
		dh_self->ignore++;
}

void __tsan_ignore_thread_end(void);
DH_EXPORT void __tsan_ignore_thread_end(void)
{
	if (dh_self && dh_self->ignore)
		dh_self->ignore--;
}

void __tsan_init(void);
DH_EXPORT void __tsan_init(void)
{
}

/* An object of a library that is not instrumented, which says itself what happens to it. */
void __tsan_external_read(void *p, void *pc, void *tag);
DH_EXPORT void __tsan_external_read(void *p, void *pc, void *tag)
{
	(void)tag;
	dh_plain(p, 0, false, 0, (uintptr_t)pc);
}

void __tsan_external_write(void *p, void *pc, void *tag);
DH_EXPORT void __tsan_external_write(void *p, void *pc, void *tag)
{
	(void)tag;
	dh_plain(p, 0, false, DH_SCHED_WRITE, (uintptr_t)pc);
}
