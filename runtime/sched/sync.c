#include "sched/sync.h"

void dh_sync_load(struct dh_actor *a, uintptr_t address, bool acquire)
{
	const struct dh_sync *s = dh_sync_at(address, false);

	if (!s || a->ignore_sync)
		return;
	if (acquire)
		dh_actor_receive(a, &s->vc);
	else
		dh_vc_join(&a->seen, &s->vc);
}

/* A relaxed store publishes what a fence before it has released. */
static void publish_relaxed(struct dh_actor *a, uintptr_t address)
{
	if (a->fenced)
		dh_vc_join(&dh_sync_at(address, true)->vc, &a->published);
}

void dh_sync_store(struct dh_actor *a, uintptr_t address, bool release)
{
	struct dh_sync *s = dh_sync_at(address, false);

	if (a->ignore_sync)
		return;
	if (s)
		s->vc.n = 0;
	if (release)
		dh_actor_send(a, &dh_sync_at(address, true)->vc);
	else
		publish_relaxed(a, address);
}

void dh_sync_update(struct dh_actor *a, uintptr_t address, bool acquire, bool release)
{
	if (a->ignore_sync)
		return;
	dh_sync_load(a, address, acquire);
	if (release)
		dh_actor_send(a, &dh_sync_at(address, true)->vc);
	else
		publish_relaxed(a, address);
}

void dh_sync_fence(struct dh_actor *a, bool acquire, bool release)
{
	if (acquire)
		dh_actor_receive(a, &a->seen);
	if (release) {
		a->fenced = true;
		dh_actor_send(a, &a->published);
	}
}
