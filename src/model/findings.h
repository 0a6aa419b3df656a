/* A growing set of findings, in the order in which they were added or sorted.  Owns them. */
#pragma once
#include "base/forward.h"

struct dh_finding;

struct dh_findings {
	struct dh_finding **items;
	size_t n, cap;
};

#define DH_FINDINGS_INIT ((struct dh_findings){0})

/* Takes ownership of f. */
void dh_findings_add(struct dh_findings *s, struct dh_finding *f);
/* By dh_finding_compare(): the most worth a look first. */
void dh_findings_sort(struct dh_findings *s);
/* The finding with this fingerprint, or NULL.  Linear. */
struct dh_finding *dh_findings_find(const struct dh_findings *s, const char *fingerprint);
void dh_findings_release(struct dh_findings *s);

#define DH_FINDINGS DH_CLEANUP(dh_findings_release)
