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

#define DH_DECIDED_KEY 128

/* The race's name in this recording: "load-store-12-40"; in a branch, the key of which is `in`,
 * with a mark of that before it; the same with what else a verdict depends on.  `in` may be "". */
void dh_decided_key(const char *in, const struct dh_race *race, char ret[DH_DECIDED_KEY]);

int dh_decided_open(const char *recording, struct dh_decided *ret, struct dh_error *err);
const struct dh_verdict *dh_decided_find(const struct dh_decided *d, const char *key);
int dh_decided_add(struct dh_decided *d, const char *key, const struct dh_verdict *v);
void dh_decided_release(struct dh_decided *d);
