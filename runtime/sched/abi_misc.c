/* The rest of what programs built for a thread sanitizer may refer to: its settings, reports and
 * coverage, which have no meaning here and say so by doing nothing; the interface of managed
 * languages; and questions about the heap. */
#include <stddef.h>

#include "sched/detect.h"
#include "sched/detector.h"
#include "sched/frames.h"
#include "sched/heap.h"
#include "sched/pool.h"

#define FUNCTION(type, name, ...)                                                                  \
	type name(__VA_ARGS__);                                                                    \
	DH_EXPORT type name(__VA_ARGS__)
#define NOTHING(name, ...)                                                                         \
	FUNCTION(void, name, __VA_ARGS__)                                                          \
	{                                                                                          \
	}
#define ANSWER(type, name, value, ...)                                                             \
	FUNCTION(type, name, __VA_ARGS__)                                                          \
	{                                                                                          \
		return value;                                                                      \
	}

/* Reports are made when the run is over, outside of the program: there is never a current one. */
ANSWER(void *, __tsan_get_current_report, NULL, void)
ANSWER(int, __tsan_get_report_data, 0, void *report, const char **text, int *count, int *stacks,
	int *mops, int *locs, int *mutexes, int *threads, int *unique_tids, void **trace,
	unsigned long size)
ANSWER(int, __tsan_get_report_tag, 0, void *report, unsigned long *tag)
ANSWER(int, __tsan_get_report_stack, 0, void *report, unsigned long at, void **trace,
	unsigned long size)
ANSWER(int, __tsan_get_report_mop, 0, void *report, unsigned long at, int *tid, void **address,
	int *size, int *write, int *atomic, void **trace, unsigned long trace_size)
ANSWER(int, __tsan_get_report_loc, 0, void *report, unsigned long at, const char **type,
	void **address, void **start, unsigned long *size, int *tid, int *fd, int *suppressable,
	void **trace, unsigned long trace_size)
ANSWER(int, __tsan_get_report_loc_object_type, 0, void *report, unsigned long at, const char **type)
ANSWER(int, __tsan_get_report_mutex, 0, void *report, unsigned long at, void *id, void **address,
	int *destroyed, void **trace, unsigned long size)
ANSWER(int, __tsan_get_report_thread, 0, void *report, unsigned long at, int *tid, void *os_id,
	int *running, const char **name, int *parent, void **trace, unsigned long size)
ANSWER(int, __tsan_get_report_unique_tid, 0, void *report, unsigned long at, int *tid)
ANSWER(int, __tsan_get_alloc_stack, 0, void *address, void **trace, size_t size, int *thread,
	void *os_id)
ANSWER(const char *, __tsan_locate_address, "", void *address, char *name, size_t name_size,
	void **start, size_t *size)
NOTHING(__tsan_flush_memory, void)
NOTHING(__tsan_on_thread_idle, void)
ANSWER(void *, __tsan_external_register_tag, (void *)1, const char *type)
NOTHING(__tsan_external_register_header, void *tag, const char *header)
NOTHING(__tsan_external_assign_tag, void *address, void *tag)
NOTHING(__tsan_test_only_on_fork, void)

FUNCTION(unsigned long, __tsan_testonly_shadow_stack_current_size, void)
{
	return (unsigned long)(dh_frames.top - dh_frames.base);
}

/* Managed languages. */
static void fresh(uintptr_t address, size_t size)
{
	if (dh_self && !dh_self->inside)
		dh_memory_fresh(address, size);
}

NOTHING(__tsan_java_init, uintptr_t heap, uintptr_t size)
ANSWER(int, __tsan_java_fini, 0, void)
NOTHING(__tsan_java_finalize, void)
ANSWER(uintptr_t, __tsan_java_find, 0, uintptr_t *from, uintptr_t to)

FUNCTION(void, __tsan_java_alloc, uintptr_t address, uintptr_t size)
{
	fresh(address, size);
}

FUNCTION(void, __tsan_java_free, uintptr_t address, uintptr_t size)
{
	fresh(address, size);
}

FUNCTION(void, __tsan_java_move, uintptr_t from, uintptr_t to, uintptr_t size)
{
	fresh(from, size);
	fresh(to, size);
}

static struct dh_object *java_object(uintptr_t address)
{
	return dh_self && !dh_self->inside ? dh_object_get((void *)address, DH_OBJECT_USER) : NULL;
}

/* A thread may take its lock again: only the first time, and the last, are told. */
static void java_lock(uintptr_t address, unsigned how, uint32_t levels, uintptr_t pc)
{
	struct dh_object *lock = java_object(address);

	if (!lock)
		return;
	if (!(how & DH_LOCK_SHARED)) {
		bool again = lock->owner == dh_self && lock->depth > 0;

		lock->owner = dh_self;
		lock->depth = again ? lock->depth + levels : levels;
		if (again)
			return;
	}
	dh_detect_requested(dh_self, lock, how, pc);
	dh_detect_acquired(dh_self, lock, how, pc);
}

/* How many levels it was. */
static uint32_t java_unlock(uintptr_t address, unsigned how, bool all, uintptr_t pc)
{
	struct dh_object *lock = java_object(address);
	uint32_t levels = 1;

	if (!lock)
		return levels;
	if (!(how & DH_LOCK_SHARED)) {
		levels = all && lock->depth ? lock->depth : 1;
		lock->depth -= levels <= lock->depth ? levels : lock->depth;
		if (lock->depth)
			return levels;
		lock->owner = NULL;
	}
	dh_detect_releasing(dh_self, lock, how, pc);
	return levels;
}

FUNCTION(void, __tsan_java_mutex_lock, uintptr_t address)
{
	java_lock(address, 0, 1, DH_CALLER());
}

FUNCTION(void, __tsan_java_mutex_unlock, uintptr_t address)
{
	java_unlock(address, 0, false, DH_CALLER());
}

FUNCTION(void, __tsan_java_mutex_read_lock, uintptr_t address)
{
	java_lock(address, DH_LOCK_SHARED, 1, DH_CALLER());
}

FUNCTION(void, __tsan_java_mutex_read_unlock, uintptr_t address)
{
	java_unlock(address, DH_LOCK_SHARED, false, DH_CALLER());
}

FUNCTION(void, __tsan_java_mutex_lock_rec, uintptr_t address, int levels)
{
	java_lock(address, 0, levels > 0 ? (uint32_t)levels : 1, DH_CALLER());
}

FUNCTION(int, __tsan_java_mutex_unlock_rec, uintptr_t address)
{
	return (int)java_unlock(address, 0, true, DH_CALLER());
}

FUNCTION(void, __tsan_java_acquire, uintptr_t address)
{
	const struct dh_sync *s = dh_self ? dh_sync_at(address, false) : NULL;

	if (s)
		dh_actor_receive(dh_actor_of(dh_self), &s->said);
}

FUNCTION(void, __tsan_java_release, uintptr_t address)
{
	if (dh_self && dh_detecting)
		dh_actor_send(dh_actor_of(dh_self), &dh_sync_at(address, true)->said);
}

FUNCTION(void, __tsan_java_release_store, uintptr_t address)
{
	struct dh_sync *s;

	if (!dh_self || !dh_detecting)
		return;
	s = dh_sync_at(address, true);
	s->said.n = 0;
	dh_actor_send(dh_actor_of(dh_self), &s->said);
}

/* The heap, as allocator_interface.h has it. */
FUNCTION(size_t, __sanitizer_get_allocated_size, const void *p)
{
	return dh_heap_has(p) ? dh_heap_block_size(p) : 0;
}

FUNCTION(int, __sanitizer_get_ownership, const void *p)
{
	return dh_heap_has(p) && dh_heap_block_size(p) != 0;
}

ANSWER(size_t, __sanitizer_get_estimated_allocated_size, size, size_t size)
ANSWER(size_t, __sanitizer_get_current_allocated_bytes, 1, void)
ANSWER(size_t, __sanitizer_get_heap_size, 1, void)
ANSWER(size_t, __sanitizer_get_free_bytes, 1, void)
ANSWER(size_t, __sanitizer_get_unmapped_bytes, 1, void)
ANSWER(int, __sanitizer_install_malloc_and_free_hooks, 0, void (*on_malloc)(const void *, size_t),
	void (*on_free)(const void *))

/* Reports and symbols are the tool's. */
NOTHING(__sanitizer_print_stack_trace, void)
NOTHING(__sanitizer_set_death_callback, void (*callback)(void))
NOTHING(__sanitizer_set_report_path, const char *path)
NOTHING(__sanitizer_set_report_fd, void *fd)
ANSWER(const char *, __sanitizer_get_report_path, "", void)
NOTHING(__sanitizer_report_error_summary, const char *summary)
NOTHING(__sanitizer_sandbox_on_notify, void *arguments)
NOTHING(__sanitizer_on_print, const char *text)
ANSWER(int, __sanitizer_acquire_crash_state, 1, void)
ANSWER(int, __sanitizer_get_module_and_offset_for_pc, 0, void *pc, char *path, size_t size,
	void **offset)

static void no_text(char *out, size_t size)
{
	if (size)
		out[0] = 0;
}

FUNCTION(void, __sanitizer_symbolize_pc, void *pc, const char *format, char *out, size_t size)
{
	no_text(out, size);
}

FUNCTION(void, __sanitizer_symbolize_global, void *data, const char *format, char *out, size_t size)
{
	no_text(out, size);
}

/* Coverage (-fsanitize-coverage). */
NOTHING(__sanitizer_cov_dump, void)
NOTHING(__sanitizer_cov_reset, void)
NOTHING(__sanitizer_dump_coverage, const uintptr_t *pcs, uintptr_t count)
NOTHING(__sanitizer_dump_trace_pc_guard_coverage, void)
NOTHING(__sanitizer_cov_trace_pc_guard, uint32_t *guard)
NOTHING(__sanitizer_cov_trace_pc_guard_init, uint32_t *start, uint32_t *end)
NOTHING(__sanitizer_cov_8bit_counters_init, char *start, char *end)
NOTHING(__sanitizer_cov_bool_flag_init, char *start, char *end)
NOTHING(__sanitizer_cov_pcs_init, const uintptr_t *start, const uintptr_t *end)
NOTHING(__sanitizer_cov_trace_pc_indir, uintptr_t callee)
NOTHING(__sanitizer_cov_trace_cmp, uint64_t a, uint64_t b)
NOTHING(__sanitizer_cov_trace_cmp1, uint8_t a, uint8_t b)
NOTHING(__sanitizer_cov_trace_cmp2, uint16_t a, uint16_t b)
NOTHING(__sanitizer_cov_trace_cmp4, uint32_t a, uint32_t b)
NOTHING(__sanitizer_cov_trace_cmp8, uint64_t a, uint64_t b)
NOTHING(__sanitizer_cov_trace_const_cmp1, uint8_t a, uint8_t b)
NOTHING(__sanitizer_cov_trace_const_cmp2, uint16_t a, uint16_t b)
NOTHING(__sanitizer_cov_trace_const_cmp4, uint32_t a, uint32_t b)
NOTHING(__sanitizer_cov_trace_const_cmp8, uint64_t a, uint64_t b)
NOTHING(__sanitizer_cov_trace_switch, uint64_t value, uint64_t *cases)
NOTHING(__sanitizer_cov_trace_div4, uint32_t value)
NOTHING(__sanitizer_cov_trace_div8, uint64_t value)
NOTHING(__sanitizer_cov_trace_gep, uintptr_t index)
