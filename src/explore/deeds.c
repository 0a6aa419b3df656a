#include "explore/deeds.h"

#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>

#include "explore/history.h"
#include "explore/race.h"

/* The access that the call makes to the object of the race; NULL when there is none. */
static const struct dh_hist_access *access_of(
	const struct dh_history *h, const struct dh_race *r, uint32_t call)
{
	const struct dh_hist_call *c = &h->calls[call];
	const struct dh_hist_access *found = NULL;

	for (uint32_t i = 0; i < c->n_accesses; i++) {
		const struct dh_hist_access *a = &h->accesses[c->first_access + i];

		if (a->object == r->object && (!found || a->op == DH_HIST_STORE))
			found = a;
	}
	return found;
}

bool dh_deed_stores(const struct dh_history *h, const struct dh_race *r, uint32_t call)
{
	const struct dh_hist_access *a = access_of(h, r, call);

	return a && a->op == DH_HIST_STORE;
}

bool dh_deed_removes(const struct dh_ev_call *c)
{
	return c->nr == SYS_unlink || c->nr == SYS_unlinkat || c->nr == SYS_rmdir;
}

bool dh_deed_renames(const struct dh_ev_call *c)
{
	return c->nr == SYS_rename || c->nr == SYS_renameat || c->nr == SYS_renameat2;
}

bool dh_deed_opens(const struct dh_ev_call *c)
{
	return c->nr == SYS_open || c->nr == SYS_openat || c->nr == SYS_creat;
}

/* Whether the call leaves the name without a file. */
bool dh_deed_takes_away(const struct dh_history *h, const struct dh_race *r, uint32_t call)
{
	const struct dh_ev_call *c = h->calls[call].ev;
	const struct dh_ev_ref *from = dh_ev_call_ref(c, DH_REF_PATH);

	return dh_deed_removes(c) ||
	       (dh_deed_renames(c) && from && strcmp(from->path, h->objects[r->object].name) == 0);
}

bool dh_deed_makes_directory(const struct dh_ev_call *c)
{
	return c->nr == SYS_mkdir || c->nr == SYS_mkdirat;
}

bool dh_deed_looks(const struct dh_ev_call *c)
{
	switch (c->nr) {
	case SYS_stat:
	case SYS_lstat:
	case SYS_newfstatat:
	case SYS_statx:
	case SYS_access:
	case SYS_faccessat:
	case SYS_faccessat2:
		return true;
	default:
		return false;
	}
}

bool dh_deed_creates(const struct dh_ev_call *c)
{
	return c->nr == SYS_creat ||
	       (dh_deed_opens(c) && (c->arg[c->nr == SYS_open ? 1 : 2] & O_CREAT));
}

bool dh_deed_truncates(const struct dh_ev_call *c)
{
	if (c->nr == SYS_truncate || c->nr == SYS_ftruncate || c->nr == SYS_creat)
		return true;
	return dh_deed_opens(c) && (c->arg[c->nr == SYS_open ? 1 : 2] & O_TRUNC);
}

uint32_t dh_deed_process(const struct dh_history *h, uint32_t call)
{
	return h->tasks[h->calls[call].task].process;
}
