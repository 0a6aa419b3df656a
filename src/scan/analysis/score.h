/* The points of RacerX's Table 4 and of what goes beyond it.  Users change them with lines like
 * "score write 3" in a --config file; the words that explain them are here too. */
#pragma once
#include "scan/analysis/table.h"

enum dh_scan_score {
	DH_SCORE_ALWAYS_UNLOCKED,
	DH_SCORE_OFTEN_UNLOCKED,
	DH_SCORE_CONCURRENT,
	DH_SCORE_HANDLER_WRITES,
	DH_SCORE_HANDLER_READS,
	DH_SCORE_MANY_ROOTS,
	DH_SCORE_TWO_ROOTS,
	DH_SCORE_ONLY_OFTEN,
	DH_SCORE_ONLY_ONCE,
	DH_SCORE_FIRST,
	DH_SCORE_LAST,
	DH_SCORE_BELIEF,
	DH_SCORE_DISBELIEF,
	DH_SCORE_MANY_VARIABLES,
	DH_SCORE_SOME_VARIABLES,
	DH_SCORE_NOT_ATOMIC,
	DH_SCORE_WRITE,
	DH_SCORE_UPDATE,
	DH_SCORE_MIXED,
	DH_SCORE_WRONG_LOCK,
	DH_SCORE_LIKE_LOCKS,
	DH_SCORE_FREED,
	DH_SCORE_FREED_ONE,
	DH_SCORE_INITIALISATION,
	DH_SCORE_ONE_ROOT,
	DH_SCORE_SETUP,
	DH_SCORE_COUNTER,
	DH_SCORE_UNKNOWN_OBJECT,
	DH_SCORE_MANY_OBJECTS,
	DH_SCORE_VOLATILE,
	DH_SCORE_GUARD,
	DH_SCORE_UNGUARDED_WRITE,
	DH_SCORE_NOT_IN_USE,
	DH_SCORE_MANY_PLACES,
	DH_SCORE_COUNT,
};

/* What the table says now: the user's value or the default. */
double dh_scan_score(const struct dh_scan_table *t, enum dh_scan_score s);
/* Its name in config files. */
const char *dh_scan_score_name(enum dh_scan_score s);
/* The explanation: a format with up to two %.0f or %.1f, or none. */
const char *dh_scan_score_words(enum dh_scan_score s);
