#include "sched/vc.h"

#include "sched/pool.h"

static void reach(struct dh_vc *v, uint32_t n)
{
	if (n <= v->n)
		return;
	v->c = dh_pool_grow(v->c, &v->cap, n, sizeof *v->c);
	for (uint32_t i = v->n; i < n; i++)
		v->c[i] = 0;
	v->n = n;
}

void dh_vc_release(struct dh_vc *v)
{
	dh_pool_free(v->c, v->cap * sizeof *v->c);
	*v = (struct dh_vc){0};
}

void dh_vc_set(struct dh_vc *v, uint32_t slot, uint32_t time)
{
	reach(v, slot + 1);
	v->c[slot] = time;
}

void dh_vc_copy(struct dh_vc *dst, const struct dh_vc *src)
{
	reach(dst, src->n);
	for (uint32_t i = 0; i < src->n; i++)
		dst->c[i] = src->c[i];
	for (uint32_t i = src->n; i < dst->n; i++)
		dst->c[i] = 0;
}

bool dh_vc_join(struct dh_vc *dst, const struct dh_vc *src)
{
	bool changed = false;

	reach(dst, src->n);
	for (uint32_t i = 0; i < src->n; i++) {
		if (src->c[i] <= dst->c[i])
			continue;
		dst->c[i] = src->c[i];
		changed = true;
	}
	return changed;
}
