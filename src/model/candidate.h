/* A candidate: two places that some analysis thinks can race, to be tried by a validator; and a
 * schedule: how an engine makes one order of them happen again.  Strings are borrowed. */
#pragma once
#include "model/finding.h"

struct dh_candidate {
	enum dh_kind kind;
	struct dh_frame sides[2];
	struct dh_access access[2];
	const char *variable;
	const char *fingerprint; /* of the finding that it came from, or NULL */
	double score;            /* which to try first: higher */
};

/* Text that only its engine reads; the store and the reports carry it unchanged. */
struct dh_schedule {
	const char *engine; /* the command: "fuzz", "explore" */
	const char *text;
};

/* Fills *ret from the first two sites; its strings are borrowed from f.
 * 0, or -ENODATA when f has no two sites whose place is known. */
int dh_candidate_of(const struct dh_finding *f, struct dh_candidate *ret);
/* For sorting: the higher score first; ties by fingerprint, so that the order is repeatable. */
int dh_candidate_compare(const struct dh_candidate *a, const struct dh_candidate *b);
