/* One line of progress on stderr, rewritten in place, only when stderr is a terminal.
 * One progress at a time; any log message hides it until the next update. */
#pragma once
#include "base/forward.h"

/* total 0: unknown.  what: "scanning", "replaying", ... (borrowed until the end). */
void dh_progress_begin(const char *what, uint64_t total);
/* It has turned out to be another number. */
void dh_progress_set_total(uint64_t total);
/* At most ten redraws a second; note may be NULL. */
void dh_progress_update(uint64_t done, const char *note);
void dh_progress_hide(void);
void dh_progress_end(void);
