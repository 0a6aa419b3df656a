#include "scan/analysis/score.h"

/* The first column of numbers is RacerX's Table 4 where it has the row. */
static const struct {
	const char *name;
	double points;
	const char *words;
} scores[DH_SCORE_COUNT] = {
	[DH_SCORE_ALWAYS_UNLOCKED] = {"always-unlocked", 2,
		"at one of the places no lock is ever held"},
	[DH_SCORE_OFTEN_UNLOCKED] = {"often-unlocked", 1,
		"more often reached with no lock (%.0f times) than with one (%.0f)"},
	[DH_SCORE_CONCURRENT] = {"concurrent", 1,
		"the code around it uses locks or atomics, so it "
		"expects other threads"},
	[DH_SCORE_HANDLER_WRITES] = {"handler-writes", 2,
		"written in an interrupt or signal handler"},
	[DH_SCORE_HANDLER_READS] = {"handler-reads", 1, "read in an interrupt or signal handler"},
	[DH_SCORE_MANY_ROOTS] = {"many-roots", 2, "written in %.0f threads"},
	[DH_SCORE_TWO_ROOTS] = {"two-roots", 1, "written in %.0f threads"},
	[DH_SCORE_ONLY_OFTEN] = {"only-often", 4, "%.0f critical sections are there for it alone"},
	[DH_SCORE_ONLY_ONCE] = {"only-once", 2, "a critical section is there for it alone"},
	[DH_SCORE_FIRST] = {"first", 1, "critical sections begin with it (%.0f)"},
	[DH_SCORE_LAST] = {"last", 1, "critical sections end with it (%.0f)"},
	[DH_SCORE_BELIEF] = {"belief", 2, "%.0f of %.0f places hold a lock, too many for chance"},
	[DH_SCORE_DISBELIEF] = {"disbelief", -2,
		"only %.0f of %.0f places hold a lock, so that is hardly the rule"},
	[DH_SCORE_MANY_VARIABLES] = {"many-variables", 2,
		"%.0f shared variables are used there without a lock"},
	[DH_SCORE_SOME_VARIABLES] = {"some-variables", 1,
		"%.0f shared variables are used there without a lock"},
	[DH_SCORE_NOT_ATOMIC] = {"not-atomic", 1,
		"%.0f bytes or a bit-field: the processor cannot write it in one go"},
	[DH_SCORE_WRITE] = {"write", 1, "one of the two writes"},
	[DH_SCORE_UPDATE] = {"update", 1,
		"what is written depends on what was there: updates get lost"},
	[DH_SCORE_MIXED] = {"mixed", 2, "atomic in one place, plain in the other"},
	[DH_SCORE_WRONG_LOCK] = {"wrong-lock", 1, "both sides hold locks, but not the same"},
	[DH_SCORE_LIKE_LOCKS] = {"like-locks", -4,
		"both sides hold locks, and it is not certain that none is the same"},
	[DH_SCORE_FREED] = {"freed", 2, "the memory is freed in one of the places"},
	[DH_SCORE_FREED_ONE] = {"freed-one", -2,
		"one of many such objects is freed in one of the places: hardly the one in use"},
	[DH_SCORE_INITIALISATION] = {"initialisation", -1, "only 0 or 1 is written"},
	[DH_SCORE_ONE_ROOT] = {"one-root", -1, "written in one thread only"},
	[DH_SCORE_SETUP] = {"setup", -3,
		"the main thread also comes by there alone, as code that prepares does"},
	[DH_SCORE_COUNTER] = {"counter", -2, "it looks like a statistics counter"},
	[DH_SCORE_UNKNOWN_OBJECT] = {"unknown-object", -4,
		"that both mean the same object is a guess from their type"},
	[DH_SCORE_MANY_OBJECTS] = {"many-objects", -4,
		"there are many such objects, and that both mean the same one is a guess"},
	[DH_SCORE_GUARD] = {"guard", 2, "%.0f functions take the same lock for it, %.0f do not"},
	[DH_SCORE_UNGUARDED_WRITE] = {"unguarded-write", 3,
		"it is written without the lock that protects it"},
	[DH_SCORE_NOT_IN_USE] = {"not-in-use", -6,
		"the name of the function without it says that the object is not in use yet or "
		"any more"},
	[DH_SCORE_MANY_PLACES] = {"many-places", -3,
		"%.0f places race with each other: rather a rule that scan does not see than a "
		"slip"},
	[DH_SCORE_VOLATILE] = {"volatile", -1, "it is volatile, so somebody thought about it"},
};

double dh_scan_score(const struct dh_scan_table *t, enum dh_scan_score s)
{
	return dh_scan_table_number(t, DH_SV_SCORE, scores[s].name, scores[s].points);
}

const char *dh_scan_score_name(enum dh_scan_score s)
{
	return scores[s].name;
}

const char *dh_scan_score_words(enum dh_scan_score s)
{
	return scores[s].words;
}
