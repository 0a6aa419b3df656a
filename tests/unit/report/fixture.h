/* Findings for the tests of reports, as the engines would write them about the programs in data/;
 * one whose every string is an attack; and as many made-up ones as wanted. */
#pragma once
#include "model/findings.h"

/* A data race that fails an assertion: both sides, stacks, steps, evidence up to harmful. */
struct dh_finding *fixture_race(void);
/* A predicted deadlock: four lock operations, no access, no command. */
struct dh_finding *fixture_deadlock(void);
struct dh_finding *fixture_signal(void);
struct dh_finding *fixture_process(void);
/* Markup, terminal escapes, newlines and invalid UTF-8 wherever a string can stand. */
struct dh_finding *fixture_hostile(void);
/* Nothing but a kind. */
struct dh_finding *fixture_bare(void);

/* "one", "few" (each of the above), or a number of them, always the same for the same number.
 * 0 or -EINVAL. */
int fixture_set(const char *name, struct dh_findings *ret);
