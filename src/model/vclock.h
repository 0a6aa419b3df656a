/* Vector clocks: who knows how much of whose past.  Dense arrays of one component per thread;
 * components behind the end are zero, so clocks of different lengths mix.
 * An epoch is one component on its own: thread and time packed in 64 bits, compared with a clock
 * in constant time (the idea of FastTrack).  Pure; one clock belongs to one thread at a time. */
#pragma once
#include "base/forward.h"

#define DH_EPOCH_TIME_BITS 40
#define DH_EPOCH_TIME_MAX  ((UINT64_C(1) << DH_EPOCH_TIME_BITS) - 1)
#define DH_EPOCH_TID_MAX   ((UINT32_C(1) << (64 - DH_EPOCH_TIME_BITS)) - 1)
/* Before everything: at or before every clock. */
#define DH_EPOCH_NONE UINT64_C(0)

struct dh_vclock {
	uint64_t *c;
	uint32_t n, cap;
};

#define DH_VCLOCK_INIT ((struct dh_vclock){0})

enum dh_vclock_order { DH_VCLOCK_EQUAL, DH_VCLOCK_BEFORE, DH_VCLOCK_AFTER, DH_VCLOCK_CONCURRENT };

void dh_vclock_release(struct dh_vclock *v);
/* Back to zero; keeps the memory. */
void dh_vclock_clear(struct dh_vclock *v);
void dh_vclock_copy(struct dh_vclock *dst, const struct dh_vclock *src);
/* tid is at most DH_EPOCH_TID_MAX, time at most DH_EPOCH_TIME_MAX. */
void dh_vclock_set(struct dh_vclock *v, uint32_t tid, uint64_t time);
/* One step of tid; returns its new time. */
uint64_t dh_vclock_tick(struct dh_vclock *v, uint32_t tid);
/* dst becomes the least clock that is at or after both. */
void dh_vclock_join(struct dh_vclock *dst, const struct dh_vclock *src);
bool dh_vclock_leq(const struct dh_vclock *a, const struct dh_vclock *b);
enum dh_vclock_order dh_vclock_compare(const struct dh_vclock *a, const struct dh_vclock *b);

static inline uint64_t dh_vclock_get(const struct dh_vclock *v, uint32_t tid)
{
	return tid < v->n ? v->c[tid] : 0;
}

static inline uint64_t dh_epoch(uint32_t tid, uint64_t time)
{
	return ((uint64_t)tid << DH_EPOCH_TIME_BITS) | time;
}

static inline uint32_t dh_epoch_tid(uint64_t epoch)
{
	return (uint32_t)(epoch >> DH_EPOCH_TIME_BITS);
}

static inline uint64_t dh_epoch_time(uint64_t epoch)
{
	return epoch & DH_EPOCH_TIME_MAX;
}

/* tid's present moment. */
static inline uint64_t dh_vclock_epoch(const struct dh_vclock *v, uint32_t tid)
{
	return dh_epoch(tid, dh_vclock_get(v, tid));
}

/* True when the moment happened before (or at) what v knows: ordered, hence no race. */
static inline bool dh_epoch_leq(uint64_t epoch, const struct dh_vclock *v)
{
	return dh_epoch_time(epoch) <= dh_vclock_get(v, dh_epoch_tid(epoch));
}
