/* Finding an arbitrary point again: see docs/REPLAY.md and record/point.c. */
#include "replay/replayer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "proc/hwbreak.h"
#include "proc/memhash.h"

/* The cheap comparisons first; the hash of all memory decides. */
static bool is_point(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_point *p)
{
	struct dh_maps maps = DH_MAPS_INIT;
	uint8_t xstate[DH_XSTATE_MAX];
	struct dh_regs regs;
	uint64_t addr, want, got, hash = 0;
	int n;

	if (dh_tracee_get_regs(&t->t, &regs) < 0 || !dh_regs_equal(&regs, &p->regs))
		return false;
	for (uint64_t i = 0; i < p->n_words; i++) {
		dh_ev_point_word(p, i, &addr, &want);
		if (dh_tracee_read(&t->t, addr, &got, sizeof(got)) < 0 || got != want)
			return false;
	}
	n = dh_tracee_get_xstate(&t->t, xstate, sizeof(xstate));
	if (n < 0 || !dh_xstate_equal(&r->layout, p->xstate, p->xstate_len, xstate, (size_t)n))
		return false;
	n = dh_memhash(&t->t, &maps, &hash);
	dh_maps_release(&maps);
	if (n == 0 && hash == p->mem_hash)
		return true;
	r->stats.false_matches++;
	return false;
}

int dh_seek_point(struct dh_replay *r, struct dh_replay_task *t, const struct dh_ev_point *point)
{
	struct dh_stop stop;
	int e;

	r->stats.points++;
	if (is_point(r, t, point))
		return 0;
	if (dh_hwbreak_set(&t->t, 0, DH_HWBREAK_EXEC, dh_regs_pc(&point->regs), 1) < 0)
		return dh_rpl_diverged(r, t, "no hardware breakpoint");
	for (;;) {
		e = dh_run_to_stop(r, t, &stop);
		if (e < 0)
			return e;
		if (stop.kind != DH_STOP_SIGNAL || stop.code != SIGTRAP)
			return dh_rpl_diverged(
				r, t, "went past the point of an asynchronous event");
		r->stats.traps++;
		if (is_point(r, t, point))
			break;
	}
	dh_hwbreak_clear(&t->t, 0);
	return 0;
}
