/* Private to this folder: what calls are, as far as words about a race need it.  Pure. */
#pragma once
#include "base/forward.h"

struct dh_ev_call;
struct dh_history;
struct dh_race;

bool dh_deed_removes(const struct dh_ev_call *c);
bool dh_deed_renames(const struct dh_ev_call *c);
bool dh_deed_opens(const struct dh_ev_call *c);
bool dh_deed_makes_directory(const struct dh_ev_call *c);
/* Asks about a name, and does nothing with it. */
bool dh_deed_looks(const struct dh_ev_call *c);
/* Opens a file, and makes it when it is not there. */
bool dh_deed_creates(const struct dh_ev_call *c);
/* Cuts a file, on its way to open it or by itself. */
bool dh_deed_truncates(const struct dh_ev_call *c);

/* Whether the call changes the object of the race. */
bool dh_deed_stores(const struct dh_history *h, const struct dh_race *r, uint32_t call);
/* Whether it leaves the name without a file. */
bool dh_deed_takes_away(const struct dh_history *h, const struct dh_race *r, uint32_t call);
/* The call's process, as an index. */
uint32_t dh_deed_process(const struct dh_history *h, uint32_t call);
