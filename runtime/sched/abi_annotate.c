/* What a program says itself about its synchronisation: __tsan_acquire and the like, mutexes of its
 * own making, and the dynamic annotations that race detectors have in common. */
#include "sched/annotate.h"
#include "sched/detect.h"
#include "sched/detector.h"

/* Flags of __tsan_mutex_*. */
enum {
	MUTEX_READ = 1 << 3,
	MUTEX_TRY = 1 << 4,
	MUTEX_TRY_FAILED = 1 << 5,
	MUTEX_RECURSIVE_LOCK = 1 << 6,
	MUTEX_RECURSIVE_UNLOCK = 1 << 7,
};

static struct dh_thread *self_now(void)
{
	return dh_self && !dh_self->inside ? dh_self : NULL;
}

static void send(const volatile void *address)
{
	struct dh_thread *self = self_now();

	if (self && dh_detecting)
		dh_actor_send(dh_actor_of(self), &dh_sync_at((uintptr_t)address, true)->said);
}

static void receive(const volatile void *address)
{
	struct dh_thread *self = self_now();
	const struct dh_sync *s = self ? dh_sync_at((uintptr_t)address, false) : NULL;

	if (s)
		dh_actor_receive(dh_actor_of(self), &s->said);
}

static struct dh_object *user_object(const volatile void *address)
{
	return dh_object_get(address, DH_OBJECT_USER);
}

static void ignore(int by)
{
	struct dh_thread *self = self_now();

	if (self && (by > 0 || self->ignore))
		self->ignore += (uint32_t)by;
}

/* What happens inside of a mutex of the program's own making: neither accesses nor atomics of it
 * are the program's, the annotations stand for them. */
static void within(int by)
{
	struct dh_thread *self = self_now();
	struct dh_actor *a = self ? dh_actor_of(self) : NULL;

	ignore(by);
	if (a && (by > 0 || a->ignore_sync))
		a->ignore_sync += (uint32_t)by;
}

static void request(void *address, bool shared, bool tried, uintptr_t pc)
{
	struct dh_thread *self = self_now();
	struct dh_object *lock;

	if (!self)
		return;
	lock = user_object(address);
	dh_sched_point(DH_OP_USER, lock, pc);
	dh_detect_requested(
		self, lock, (shared ? DH_LOCK_SHARED : 0) | (tried ? DH_LOCK_TRIED : 0), pc);
}

static void acquired(void *address, bool shared, uintptr_t pc)
{
	struct dh_thread *self = self_now();

	if (!self)
		return;
	receive(address);
	dh_detect_acquired(self, user_object(address), shared ? DH_LOCK_SHARED : 0, pc);
}

static void released(void *address, bool shared, uintptr_t pc)
{
	struct dh_thread *self = self_now();

	if (self)
		dh_detect_releasing(self, user_object(address), shared ? DH_LOCK_SHARED : 0, pc);
}

static void gone(void *address)
{
	if (self_now())
		dh_object_memory_gone(address, 1);
}

void __tsan_acquire(void *address);
DH_EXPORT void __tsan_acquire(void *address)
{
	receive(address);
}

void __tsan_release(void *address);
DH_EXPORT void __tsan_release(void *address)
{
	send(address);
}

void __tsan_mutex_create(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_create(void *address, unsigned flags)
{
	(void)flags;
	gone(address);
}

void __tsan_mutex_destroy(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_destroy(void *address, unsigned flags)
{
	(void)flags;
	gone(address);
}

/* Between `pre` and `post` the accesses are those of the mutex itself. */
void __tsan_mutex_pre_lock(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_pre_lock(void *address, unsigned flags)
{
	request(address, flags & MUTEX_READ, flags & MUTEX_TRY, DH_CALLER());
	within(1);
}

void __tsan_mutex_post_lock(void *address, unsigned flags, int recursion);
DH_EXPORT void __tsan_mutex_post_lock(void *address, unsigned flags, int recursion)
{
	(void)recursion;
	within(-1);
	if (!(flags & MUTEX_TRY_FAILED))
		acquired(address, flags & MUTEX_READ, DH_CALLER());
}

int __tsan_mutex_pre_unlock(void *address, unsigned flags);
DH_EXPORT int __tsan_mutex_pre_unlock(void *address, unsigned flags)
{
	released(address, flags & MUTEX_READ, DH_CALLER());
	within(1);
	return 1;
}

void __tsan_mutex_post_unlock(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_post_unlock(void *address, unsigned flags)
{
	(void)address;
	(void)flags;
	within(-1);
}

void __tsan_mutex_pre_signal(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_pre_signal(void *address, unsigned flags)
{
	(void)flags;
	send(address);
	within(1);
}

void __tsan_mutex_post_signal(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_post_signal(void *address, unsigned flags)
{
	(void)address;
	(void)flags;
	within(-1);
}

/* Code of the program that a mutex calls while it is between `pre` and `post`. */
void __tsan_mutex_pre_divert(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_pre_divert(void *address, unsigned flags)
{
	(void)address;
	(void)flags;
	within(-1);
}

void __tsan_mutex_post_divert(void *address, unsigned flags);
DH_EXPORT void __tsan_mutex_post_divert(void *address, unsigned flags)
{
	(void)address;
	(void)flags;
	within(1);
}

#define ANNOTATION(name, ...)                                                                      \
	void name(const char *file, int line, ##__VA_ARGS__);                                      \
	DH_EXPORT void name(const char *file, int line, ##__VA_ARGS__)
/* Kept for programs that call it; says nothing about races. */
#define NO_EFFECT(name, ...)                                                                       \
	ANNOTATION(name, ##__VA_ARGS__)                                                            \
	{                                                                                          \
	}

ANNOTATION(AnnotateHappensBefore, const volatile void *address)
{
	send(address);
}

ANNOTATION(AnnotateHappensAfter, const volatile void *address)
{
	receive(address);
}

ANNOTATION(WTFAnnotateHappensBefore, const volatile void *address)
{
	send(address);
}

ANNOTATION(WTFAnnotateHappensAfter, const volatile void *address)
{
	receive(address);
}

ANNOTATION(AnnotateBenignRaceSized, const volatile void *address, size_t size, const char *why)
{
	dh_benign_add((uintptr_t)address, size);
}

ANNOTATION(WTFAnnotateBenignRaceSized, const volatile void *address, size_t size, const char *why)
{
	dh_benign_add((uintptr_t)address, size);
}

ANNOTATION(AnnotateBenignRace, const volatile void *address, const char *why)
{
	dh_benign_add((uintptr_t)address, 1);
}

ANNOTATION(AnnotateRWLockCreate, void *lock)
{
	gone(lock);
}

ANNOTATION(AnnotateRWLockDestroy, void *lock)
{
	gone(lock);
}

ANNOTATION(AnnotateRWLockAcquired, void *lock, size_t is_writer)
{
	acquired(lock, !is_writer, DH_CALLER());
}

ANNOTATION(AnnotateRWLockReleased, void *lock, size_t is_writer)
{
	released(lock, !is_writer, DH_CALLER());
}

ANNOTATION(AnnotateIgnoreReadsBegin)
{
	ignore(1);
}

ANNOTATION(AnnotateIgnoreReadsEnd)
{
	ignore(-1);
}

ANNOTATION(AnnotateIgnoreWritesBegin)
{
	ignore(1);
}

ANNOTATION(AnnotateIgnoreWritesEnd)
{
	ignore(-1);
}

ANNOTATION(AnnotateIgnoreSyncBegin)
{
	if (self_now())
		dh_actor_of(dh_self)->ignore_sync++;
}

ANNOTATION(AnnotateIgnoreSyncEnd)
{
	if (self_now() && dh_actor_of(dh_self)->ignore_sync)
		dh_actor_of(dh_self)->ignore_sync--;
}

ANNOTATION(AnnotateNewMemory, void *address, size_t size)
{
	if (self_now())
		dh_memory_fresh((uintptr_t)address, size);
}

ANNOTATION(AnnotateCondVarSignal, const volatile void *cv)
{
	send(cv);
}

ANNOTATION(AnnotateCondVarSignalAll, const volatile void *cv)
{
	send(cv);
}

/* With the lock that is held: it may be this that was signalled. */
ANNOTATION(AnnotateCondVarWait, const volatile void *cv, const volatile void *lock)
{
	receive(cv);
	if (lock)
		receive(lock);
}

ANNOTATION(AnnotatePCQPut, const volatile void *queue)
{
	send(queue);
}

ANNOTATION(AnnotatePCQGet, const volatile void *queue)
{
	receive(queue);
}

/* Whoever takes this one knows what those before did under it: it orders, too. */
ANNOTATION(AnnotateMutexIsUsedAsCondVar, const volatile void *lock)
{
	if (self_now())
		dh_object_get(lock, DH_OBJECT_MUTEX)->flags |= DH_OBJECT_ORDERS;
}

NO_EFFECT(AnnotateRWLockCreateStatic, void *lock)
NO_EFFECT(AnnotateMutexIsNotPHB, void *lock)
NO_EFFECT(AnnotateEnableRaceDetection, int enable)
NO_EFFECT(AnnotateExpectRace, void *address, const char *why)
NO_EFFECT(AnnotateFlushExpectedRaces)
NO_EFFECT(AnnotateFlushState)
NO_EFFECT(AnnotateMemoryIsInitialized, void *address, size_t size)
NO_EFFECT(AnnotateMemoryIsUninitialized, void *address, size_t size)
NO_EFFECT(AnnotateNoOp, void *address)
NO_EFFECT(AnnotatePCQCreate, void *queue)
NO_EFFECT(AnnotatePCQDestroy, void *queue)
NO_EFFECT(AnnotatePublishMemoryRange, void *address, size_t size)
NO_EFFECT(AnnotateUnpublishMemoryRange, void *address, size_t size)
NO_EFFECT(AnnotateThreadName, const char *name)
NO_EFFECT(AnnotateTraceMemory, void *address)

int RunningOnValgrind(void);
DH_EXPORT int RunningOnValgrind(void)
{
	return 0;
}

double ValgrindSlowdown(void);
DH_EXPORT double ValgrindSlowdown(void)
{
	return 1.0;
}

const char *ThreadSanitizerQuery(const char *query);
DH_EXPORT const char *ThreadSanitizerQuery(const char *query)
{
	static const char known[] = "pure_happens_before";

	for (size_t i = 0; i < sizeof known; i++) {
		if (query[i] != known[i])
			return "0";
	}
	return "1";
}
