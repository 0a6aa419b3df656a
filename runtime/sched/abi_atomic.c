/* Entry points for atomics of all sizes and orders, and for fences.
 *
 * Each is a scheduling point.  Release and acquire order what stands around them, through the clock
 * of the address (relaxed ones through fences only); two atomic accesses never race. */
#include "sched/sync.h"
#include "sched/touch.h"

typedef __int128 i128;

/* Values of memory orders as compilers pass them; gcc may add hints above. */
enum order { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ORDER_MASK = 7 };

static bool acquires(int order)
{
	order &= ORDER_MASK;
	return order == CONSUME || order == ACQUIRE || order >= ACQ_REL;
}

static bool releases(int order)
{
	return (order & ORDER_MASK) >= RELEASE;
}

static void record(
	struct dh_thread *self, const volatile void *p, size_t size, unsigned access, uintptr_t pc)
{
	unsigned log = (unsigned)__builtin_ctzl(size);

	if (dh_look == DH_LOOK_NOT || self->ignore)
		return;
	if (log == 4)
		dh_range(self, (uintptr_t)p, size, access | DH_SCHED_ATOMIC, pc);
	else
		dh_touch(self, (uintptr_t)p, log, access | DH_SCHED_ATOMIC, pc);
}

/* The scheduling point; NULL: nobody looks. */
static struct dh_thread *arrive(const volatile void *p, size_t size, unsigned access, uintptr_t pc)
{
	struct dh_thread *self = dh_self;

	if (!self || self->inside)
		return NULL;
	dh_sched_atomic(pc, p, size, access | DH_SCHED_ATOMIC);
	return self;
}

static void loaded(struct dh_thread *self, const volatile void *p, int order)
{
	if (dh_detecting)
		dh_sync_load(dh_actor_of(self), (uintptr_t)p, acquires(order));
}

static void storing(struct dh_thread *self, const volatile void *p, int order)
{
	if (dh_detecting)
		dh_sync_store(dh_actor_of(self), (uintptr_t)p, releases(order));
}

static void updated(struct dh_thread *self, const volatile void *p, int order)
{
	if (dh_detecting)
		dh_sync_update(dh_actor_of(self), (uintptr_t)p, acquires(order), releases(order));
}

/* The processor has one instruction for 16 bytes; everything is made of it. */
static bool cas16(volatile i128 *p, i128 *expected, i128 value)
{
	uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
	bool done;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(done), "+m"(*p), "+a"(low), "+d"(high)
			 : "b"((uint64_t)value), "c"((uint64_t)(value >> 64))
			 : "memory");
	if (!done)
		*expected = (i128)high << 64 | low;
	return done;
}

static i128 load16(const volatile i128 *p)
{
	i128 value = 0;

	cas16((volatile i128 *)(uintptr_t)p, &value, 0);
	return value;
}

static void store16(volatile i128 *p, i128 value)
{
	i128 old = 0;

	while (!cas16(p, &old, value))
		;
}

#define NATIVE_LOAD(p)          __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define NATIVE_STORE(p, value)  __atomic_store_n(p, value, __ATOMIC_SEQ_CST)
#define NATIVE_CAS(p, e, value) __atomic_compare_exchange_n(p, e, value, false, 5, 5)
#define WIDE_LOAD(p)            load16(p)
#define WIDE_STORE(p, value)    store16(p, value)
#define WIDE_CAS(p, e, value)   cas16(p, e, value)

#define LOAD_STORE(bits, type, LOAD, STORE)                                                        \
	type __tsan_atomic##bits##_load(const volatile type *p, int order);                        \
	DH_EXPORT type __tsan_atomic##bits##_load(const volatile type *p, int order)               \
	{                                                                                          \
		uintptr_t pc = DH_CALLER();                                                        \
		struct dh_thread *self = arrive(p, sizeof *p, 0, pc);                              \
                                                                                                   \
		if (self) {                                                                        \
			record(self, p, sizeof *p, 0, pc);                                         \
			loaded(self, p, order);                                                    \
		}                                                                                  \
		return LOAD(p);                                                                    \
	}                                                                                          \
	void __tsan_atomic##bits##_store(volatile type *p, type value, int order);                 \
	DH_EXPORT void __tsan_atomic##bits##_store(volatile type *p, type value, int order)        \
	{                                                                                          \
		uintptr_t pc = DH_CALLER();                                                        \
		struct dh_thread *self = arrive(p, sizeof *p, DH_SCHED_WRITE, pc);                 \
                                                                                                   \
		if (self) {                                                                        \
			record(self, p, sizeof *p, DH_SCHED_WRITE, pc);                            \
			storing(self, p, order);                                                   \
		}                                                                                  \
		STORE(p, value);                                                                   \
	}

/* All updates are loops of the same shape: on one processor at a time they run once. */
#define UPDATE(bits, type, name, LOAD, CAS, result)                                                \
	type __tsan_atomic##bits##_##name(volatile type *p, type value, int order);                \
	DH_EXPORT type __tsan_atomic##bits##_##name(volatile type *p, type value, int order)       \
	{                                                                                          \
		uintptr_t pc = DH_CALLER();                                                        \
		unsigned access = DH_SCHED_WRITE | DH_SCHED_RMW;                                   \
		struct dh_thread *self = arrive(p, sizeof *p, access, pc);                         \
		type old;                                                                          \
                                                                                                   \
		if (self) {                                                                        \
			record(self, p, sizeof *p, access, pc);                                    \
			updated(self, p, order);                                                   \
		}                                                                                  \
		old = LOAD(p);                                                                     \
		while (!CAS(p, &old, (type)(result)))                                              \
			;                                                                          \
		return old;                                                                        \
	}

/* What a compare and exchange is, an update or only a load, is known behind it. */
#define EXCHANGE_IF(bits, type, CAS)                                                               \
	static bool exchange_if##bits(volatile type *p, type *expected, type value, int order,     \
		int failure, uintptr_t pc)                                                         \
	{                                                                                          \
		unsigned access = DH_SCHED_WRITE | DH_SCHED_RMW;                                   \
		struct dh_thread *self = arrive(p, sizeof *p, access, pc);                         \
		bool done = CAS(p, expected, value);                                               \
                                                                                                   \
		if (!self)                                                                         \
			return done;                                                               \
		record(self, p, sizeof *p, done ? access : 0, pc);                                 \
		if (done)                                                                          \
			updated(self, p, order);                                                   \
		else                                                                               \
			loaded(self, p, failure);                                                  \
		return done;                                                                       \
	}                                                                                          \
	type __tsan_atomic##bits##_compare_exchange_val(                                           \
		volatile type *p, type expected, type value, int order, int failure);              \
	DH_EXPORT type __tsan_atomic##bits##_compare_exchange_val(                                 \
		volatile type *p, type expected, type value, int order, int failure)               \
	{                                                                                          \
		exchange_if##bits(p, &expected, value, order, failure, DH_CALLER());               \
		return expected;                                                                   \
	}                                                                                          \
	EXCHANGE_IF_KIND(bits, type, strong)                                                       \
	EXCHANGE_IF_KIND(bits, type, weak)
#define EXCHANGE_IF_KIND(bits, type, kind)                                                         \
	int __tsan_atomic##bits##_compare_exchange_##kind(                                         \
		volatile type *p, type *expected, type value, int order, int failure);             \
	DH_EXPORT int __tsan_atomic##bits##_compare_exchange_##kind(                               \
		volatile type *p, type *expected, type value, int order, int failure)              \
	{                                                                                          \
		return exchange_if##bits(p, expected, value, order, failure, DH_CALLER());         \
	}

#define WIDTH(bits, type, LOAD, STORE, CAS)                                                        \
	LOAD_STORE(bits, type, LOAD, STORE)                                                        \
	UPDATE(bits, type, exchange, LOAD, CAS, value)                                             \
	UPDATE(bits, type, fetch_add, LOAD, CAS, old + value)                                      \
	UPDATE(bits, type, fetch_sub, LOAD, CAS, old - value)                                      \
	UPDATE(bits, type, fetch_and, LOAD, CAS, old &value)                                       \
	UPDATE(bits, type, fetch_or, LOAD, CAS, old | value)                                       \
	UPDATE(bits, type, fetch_xor, LOAD, CAS, old ^ value)                                      \
	UPDATE(bits, type, fetch_nand, LOAD, CAS, ~(old & value))                                  \
	EXCHANGE_IF(bits, type, CAS)

WIDTH(8, uint8_t, NATIVE_LOAD, NATIVE_STORE, NATIVE_CAS)
WIDTH(16, uint16_t, NATIVE_LOAD, NATIVE_STORE, NATIVE_CAS)
WIDTH(32, uint32_t, NATIVE_LOAD, NATIVE_STORE, NATIVE_CAS)
WIDTH(64, uint64_t, NATIVE_LOAD, NATIVE_STORE, NATIVE_CAS)
WIDTH(128, i128, WIDE_LOAD, WIDE_STORE, WIDE_CAS)

void __tsan_atomic_thread_fence(int order);
DH_EXPORT void __tsan_atomic_thread_fence(int order)
{
	struct dh_thread *self = arrive(NULL, 0, 0, DH_CALLER());

	if (self && dh_detecting)
		dh_sync_fence(dh_actor_of(self), acquires(order), releases(order));
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* Orders a thread against its own handlers only. */
void __tsan_atomic_signal_fence(int order);
DH_EXPORT void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}
