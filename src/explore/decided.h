/* What an exploration has decided so far: DIR/explore/decided, one line per race, appended when it
 * is known, so that nothing is lost when the tool is killed.  The file is untrusted: lines that do
 * not parse are left out. */
#pragma once
#include "base/map.h"
#include "explore/validate.h"

struct dh_decided {
	int fd;
	char *dir;              /* DIR/explore */
	struct dh_map verdicts; /* key of a race -> struct dh_verdict * */
};

/* The race's name in this recording: "load-store-12-40". */
void dh_decided_key(const struct dh_race *race, char *ret, size_t size);

int dh_decided_open(const char *recording, struct dh_decided *ret, struct dh_error *err);
const struct dh_verdict *dh_decided_find(const struct dh_decided *d, const struct dh_race *race);
int dh_decided_add(struct dh_decided *d, const struct dh_race *race, const struct dh_verdict *v);
void dh_decided_release(struct dh_decided *d);
