/* A race in words, and as a finding for the store.  Scripts are read, where they tell a line. */
#pragma once
#include "base/forward.h"

struct dh_finding;
struct dh_history;
struct dh_race;

/* "`updatedb` removes /var/x.db, `locate` opens it". */
void dh_race_title(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out);
/* What was seen, and what the other order would mean, in one sentence. */
void dh_race_explain(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out);
/* The smallest change that would prevent it, without a full stop (advice.c). */
void dh_race_advice(const struct dh_history *h, const struct dh_race *r, struct dh_buf *out);

/* A predicted finding with both sides; sealed by the caller when it has added the rest.  Its steps
 * are as they were recorded, or `turned` around. */
struct dh_finding *dh_race_finding(
	const struct dh_history *h, const struct dh_race *r, bool turned);
