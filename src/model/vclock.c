#include "model/vclock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void dh_vclock_release(struct dh_vclock *v)
{
	free(v->c);
	*v = DH_VCLOCK_INIT;
}

void dh_vclock_clear(struct dh_vclock *v)
{
	v->n = 0;
}

/* Makes n components present; new ones are zero. */
static void extend(struct dh_vclock *v, uint32_t n)
{
	if (n <= v->n)
		return;
	if (n > v->cap) {
		v->cap = DH_MAX(n, v->cap ? v->cap * 2 : 8);
		v->c = dh_reallocarray(v->c, v->cap, sizeof(*v->c));
	}
	memset(v->c + v->n, 0, (n - v->n) * sizeof(*v->c));
	v->n = n;
}

void dh_vclock_copy(struct dh_vclock *dst, const struct dh_vclock *src)
{
	if (dst == src)
		return;
	dh_vclock_clear(dst);
	extend(dst, src->n);
	if (src->n)
		memcpy(dst->c, src->c, src->n * sizeof(*src->c));
}

void dh_vclock_set(struct dh_vclock *v, uint32_t tid, uint64_t time)
{
	assert(tid <= DH_EPOCH_TID_MAX && time <= DH_EPOCH_TIME_MAX);
	if (!time && tid >= v->n)
		return;
	extend(v, tid + 1);
	v->c[tid] = time;
}

uint64_t dh_vclock_tick(struct dh_vclock *v, uint32_t tid)
{
	dh_vclock_set(v, tid, dh_vclock_get(v, tid) + 1);
	return v->c[tid];
}

void dh_vclock_join(struct dh_vclock *dst, const struct dh_vclock *src)
{
	extend(dst, src->n);
	for (uint32_t i = 0; i < src->n; i++)
		dst->c[i] = DH_MAX(dst->c[i], src->c[i]);
}

bool dh_vclock_leq(const struct dh_vclock *a, const struct dh_vclock *b)
{
	for (uint32_t i = 0; i < a->n; i++) {
		if (a->c[i] > dh_vclock_get(b, i))
			return false;
	}
	return true;
}

enum dh_vclock_order dh_vclock_compare(const struct dh_vclock *a, const struct dh_vclock *b)
{
	bool le = dh_vclock_leq(a, b), ge = dh_vclock_leq(b, a);

	if (le && ge)
		return DH_VCLOCK_EQUAL;
	if (le)
		return DH_VCLOCK_BEFORE;
	return ge ? DH_VCLOCK_AFTER : DH_VCLOCK_CONCURRENT;
}
