#include "explore/race.h"

#include <stdlib.h>
#include <string.h>

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

void dh_races_release(struct dh_races *r)
{
	free(r->races);
	*r = (struct dh_races){0};
}
