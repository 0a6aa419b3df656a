#include "explore/race.h"

#include <stdlib.h>
#include <string.h>

#include "explore/history.h"

static const char *const kinds[DH_RACE_KIND_COUNT] = {
	[DH_RACE_LOAD_STORE] = "load-store",
	[DH_RACE_WAIT_WAKEUPS] = "wait-wakeups",
	[DH_RACE_WAKEUP_WAITS] = "wakeup-waits",
	[DH_RACE_SIGNAL] = "signal",
};

static const char *const whats[DH_RACE_WHAT_COUNT] = {
	[DH_RACE_NAME] = "name",
	[DH_RACE_LIST] = "list",
	[DH_RACE_DATA] = "data",
	[DH_RACE_META] = "meta",
	[DH_RACE_OFFSET] = "offset",
	[DH_RACE_STREAM] = "stream",
	[DH_RACE_TTY] = "tty",
	[DH_RACE_LOG] = "log",
	[DH_RACE_PROCESS] = "process",
	[DH_RACE_WAIT] = "wait",
	[DH_RACE_SIGNALS] = "signal",
	[DH_RACE_GLOBAL] = "global",
};

const char *dh_race_kind_name(enum dh_race_kind kind)
{
	return kinds[kind];
}

const char *dh_race_what_name(enum dh_race_what what)
{
	return whats[what];
}

int dh_race_what_parse(const char *name, size_t len)
{
	for (int i = 0; i < DH_RACE_WHAT_COUNT; i++) {
		if (strncmp(whats[i], name, len) == 0 && !whats[i][len])
			return i;
	}
	return -1;
}

/* What a call does to an object: bits of 1 << enum dh_hist_op. */
static unsigned ops_on(const struct dh_history *h, uint32_t call, uint32_t object)
{
	const struct dh_hist_access *a = h->accesses + h->calls[call].first_access;
	unsigned ops = 0;

	for (uint32_t i = 0; i < h->calls[call].n_accesses; i++)
		if (a[i].object == object)
			ops |= 1u << a[i].op;
	return ops;
}

bool dh_race_goes_on(const struct dh_history *h, const struct dh_race *r)
{
	unsigned ops[2] = {0, 0};

	if (r->kind != DH_RACE_LOAD_STORE)
		return false;
	for (uint32_t i = 0; i < h->n_calls; i++) {
		bool behind[2] = {dh_porder_before(&h->order, r->calls[0], i),
			dh_porder_before(&h->order, r->calls[1], i)};

		/* What comes behind both is ordered by whoever waits for both. */
		if (behind[0] != behind[1])
			ops[behind[1]] |= ops_on(h, i, r->object);
	}
	return ops[0] && ops[1] && ((ops[0] | ops[1]) & 1u << DH_HIST_STORE);
}

void dh_races_release(struct dh_races *r)
{
	free(r->races);
	*r = (struct dh_races){0};
}
